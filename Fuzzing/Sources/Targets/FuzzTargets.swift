/// All targets; a new target is added here.
enum FuzzTargets {
  static let all: [any FuzzTarget] =
    FeedTarget.all + RepeatedTarget.all + [
      MarkupTarget(), PictureTarget(), EncodingTarget(), GzipTarget(), DateTarget(),
      AddressTarget(), HarmlessTextTarget(), TerminalAnswersTarget(), HeaderTarget(),
      ContentRangeTarget(), NetrcTarget(), AnswerTarget(), RequestTarget(),
      WebRequestTarget(),
    ]
}
