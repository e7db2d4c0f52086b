extension TestLibrary {
  /// Starts a server, runs shell commands, and stops the server with SIGTERM.
  ///
  /// `$address` and `$token` are the server's address and token.
  func serve(
    _ options: String,
    startedBy starter: String = "",
    _ asking: String
  ) throws -> Program.Result {
    try program.shell(
      """
      \(starter) gallery serve --sync off \(options) >out 2>errors &
      server=$!
      until grep -q "token=\\|socket" out || ! kill -0 $server 2>/dev/null; do sleep 0.02; done
      line=$(head -n 1 out)
      address=${line%%/?token=*}
      token=${line##*token=}
      \(asking)
      kill -TERM $server
      wait $server
      echo "status $?"
      """
    )
  }
}
