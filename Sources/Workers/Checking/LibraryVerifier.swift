/// The policy of verification: the database first, then thumbnails, then originals, then what
/// refers to nothing.
///
/// Each page that was looked at is remembered, so that an interrupted verification is taken up
/// where it stopped. A library that cannot be written is verified, too; then there is nothing to
/// remember it in.
package struct LibraryVerifier: LibraryVerifying {
  private let library: any LibraryInspecting
  private let repairer: any PictureRepairing
  private let imaging: (any ImageDecoding)?

  /// Takes what is looked at, and what makes it right again; without a decoder, thumbnails are looked
  /// at by their bytes alone.
  package init(
    library: any LibraryInspecting,
    repairer: any PictureRepairing,
    imaging: (any ImageDecoding)? = nil
  ) {
    self.library = library
    self.repairer = repairer
    self.imaging = imaging
  }

  package func verify(_ plan: VerificationPlan) -> VerificationRun {
    let (facts, teller) = AsyncStream.makeStream(of: CheckFact.self)
    let progress = VerificationProgress()
    let (library, repairer) = (self.library, self.repairer)
    let check = ThumbnailCheck(imaging: imaging)
    let task = Task {
      var verification = Verification(
        plan: plan,
        library: library,
        repairer: repairer,
        thumbnailCheck: check,
        progress: progress,
        teller: teller
      )
      await verification.run()
      teller.finish()
    }
    return VerificationRun(facts: facts, progress: progress, whenStopped: { task.cancel() })
  }
}
