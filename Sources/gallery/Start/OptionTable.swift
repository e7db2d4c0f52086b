extension GalleryCommand {
  /// The options of every command, in the form of `CommandCatalog.table`.
  ///
  /// A test compares it with the commands. When they change, the test writes a new file, and says where.
  static let optionTable = #"""
    sync	a
    	input		p		Sync the feeds in this file, too: one a line, '#' or '//' for comments; '-' is standard input.
    	if-any		f		Do nothing, and end with status 0, if no feed is followed.
    	as				Give the document from a pipe a name, or an address, as its own feed. The ids of its entries then count; without a name, only the addresses of pictures tell its images apart.
    	originals		f		Fetch every original of the feeds, newest first.
    	metadata-only		f		Fetch the feeds' documents only: no thumbnails.
    	budget				Fetch at most this much of originals: 500M, 2G; the rest waits for later syncs. The default is no limit with --originals, else 200M of originals from which thumbnails are made.
    	dry-run		f		Report the changes that a sync would make: fetch documents, but store nothing.
    	watch		f		Keep running, and ask each feed that you follow when it is due: as often as it changes, as 'feeds set --every' says, and never more often than its server allows.
    	explain		f		Show for each entry which address became the original, which the thumbnail, which were not used, and why; nothing is stored.
    	page		f		Follow the own pictures of the named web pages, and not the feeds that these name.
    	force		f		Ask for documents and thumbnails again, as if nothing were stored.
    	accept-removals		f		Let the copies of the named galleries lose all that these have lost, however much it is.
    	take-over				Follow a gallery or a folder of pictures that has moved: the named feed goes on with what the library has of this one.
    	retry-failed		f		Try pictures again that failed in earlier syncs, without waiting.
    	allow-private		f		Let the named feeds, and those that they list, lead to private addresses, now and later, such as other hosts of your own network.
    	no-limits		f		Read feeds to their end. Otherwise a sync stops a feed at 1,000,000 images, 1,000 documents after the first, 2 GiB or one hour of documents, or 256 MiB for the library.
    	jobs	j			At most this many transfers at once, and as many connections to one host.
    	limit-rate				Receive at most this much a second, all transfers together: 500K, 2M.
    	requests-per-second				Ask each host at most this often a second: 2, 0.5.
    	timings		f		Print at the end where the time went: waiting, parsing, decoding, storing.
    	exec				Run this command for new images; it reads them as JSON lines from its standard input.
    	notify		f		Show a notification on the desktop for new images (notify-send).
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cacert		p		Trust the certificate authorities of this PEM file, and no others.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    feeds
    	opml		f		Print the list as OPML, for other programs; secrets in addresses are masked.
    	manifests		f		List IIIF manifests instead: feed, title, address, images; 'list --feed' takes one.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    feeds set	a
    	title				The title; '' restores the feed's own.
    	every				How often a program that keeps running asks for the feed: 30m, 6h, 2d; 'auto' learns it from the feed's changes.
    	keep				Keep this many of the feed's newest images, and take older ones away with each sync; 'all' keeps all.
    	keep-originals				Keep the originals of this many of the feed's newest images; 'all' keeps all.
    	images				The images of an entry: 'all' that it shows, or only the picture in 'front' of its text, if it names one.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    remove	a
    	purge		f		Delete the feeds' images, too.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    list
    	feed	f			Only images of this feed, or of this list's feeds: its id, title, address or path.
    	search				Only images with all these words, or words that begin with them; camera:WORD is about the camera.
    	since				Only images dated at this moment or later: a date, or 7d, 2w, 3h.
    	added-since				Only images that came to the library at this moment or later.
    	stored		f		Only images whose original is stored.
    	missing		f		Only images whose original is not stored.
    	pinned		f		Only images that are pinned.
    	landscape		f		Only images that are known to be wider than high.
    	portrait		f		Only images that are known to be higher than wide.
    	sort			newest	The order.
    	limit	n			List at most this many.
    	offset				Skip this many images at the beginning.
    	format				Print each image like this: '{id}\t{title}'; the names are those of --json, as feed.title and thumbnail.url.
    	fail-empty		f		End with status 1 if no image is listed.
    	pictures			auto	When pictures are drawn: auto, on a terminal; always, through a pipe, too; never.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    show	a
    	output	o	p		Write a copy to this file, or into this folder; '-' is standard output.
    	force		f		Replace the file that --output names; without --output, show a damaged original, too.
    	thumbnail		f		Show the thumbnail only.
    	info		f		Print all that is known of the image; never asks the network.
    	offline		f		Show the stored picture; never use the network.
    	refresh		f		Ask the server whether a stored original has changed.
    	newer		f		Show the newer picture that is kept beside the stored one; never use the network.
    	open		f		Open the original with the desktop's own program (xdg-open); never an SVG.
    	pictures			auto	When pictures are drawn: auto, on a terminal; always, through a pipe, too; never.
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cacert		p		Trust the certificate authorities of this PEM file, and no others.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    browse
    	feed	f			Only images of this feed, or of this list's feeds: its id, title, address or path.
    	search				Only images with all these words, or words that begin with them; camera:WORD is about the camera.
    	sort			newest	The order.
    	offline		f		Show stored pictures only; use the network only for a sync that you begin.
    	pictures			auto	When pictures are drawn: auto, on a terminal; always, through a pipe, too; never.
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cacert		p		Trust the certificate authorities of this PEM file, and no others.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    frame
    	feed	f			Only images of this feed, or of this list's feeds: its id, title, address or path.
    	search				Only images with all these words, or words that begin with them; camera:WORD is about the camera.
    	sort			random	The order.
    	seconds			10	How long each picture is shown, at least 2.
    	stored		f		Only images whose original is stored.
    	pinned		f		Only images that are pinned.
    	landscape		f		Only images that are known to be wider than high.
    	portrait		f		Only images that are known to be higher than wide.
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cacert		p		Trust the certificate authorities of this PEM file, and no others.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    why	a
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    pin	a
    	feed	f			Only images of this feed, or of this list's feeds: its id, title, address or path.
    	search				Only images with all these words, or words that begin with them; camera:WORD is about the camera.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    unpin	a
    	feed	f			Only images of this feed, or of this list's feeds: its id, title, address or path.
    	search				Only images with all these words, or words that begin with them; camera:WORD is about the camera.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    take-newer	a
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    export	a
    	static		f		Write pages and pictures as a web server serves them.
    	without-originals		f		Leave the originals out: thumbnails alone.
    	feed	f			Only images of this feed, or of this list's feeds: its id, title, address or path.
    	search				Only images with all these words, or words that begin with them; camera:WORD is about the camera.
    	template				The names of new files; the default is '{feed}/{date:%Y-%m}/{title} [{id}].{ext}'.
    	metadata			none	The sidecar to write beside each file: json, xmp or none.
    	dry-run		f		Print the names of the files that would be written, and write nothing.
    	follow		fi		Bring the folder up to date with each sync from now on, or no longer.
    	fields		f		Print the fields that a template may contain.
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    backup	a
    	to		p		The place of the backup, unless an argument names it.
    	verify		f		Read all that the backup has, and copy again what is damaged.
    	new		f		Begin another backup where an earlier one is gone, or is damaged.
    	accept-removals		f		Let the copy lose all images that the library has lost, however many.
    	to-objects				The S3 bucket for the originals of the copy, or none; the same as the library's when not given.
    	cacert		p		Trust the certificate authorities of this PEM file, and no others.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    restore	a
    	without-tokens		f		Do not restore the tokens of the server.
    	without-settings		f		Do not restore the settings.
    	to-objects				The S3 bucket for the originals of the copy, or none; the same as the library's when not given.
    	cacert		p		Trust the certificate authorities of this PEM file, and no others.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    move	a
    	to		p		The place of the copy, unless an argument names it.
    	accept-removals		f		Let the copy lose all images that the library has lost, however many.
    	to-objects				The S3 bucket for the originals of the copy, or none; the same as the library's when not given.
    	cacert		p		Trust the certificate authorities of this PEM file, and no others.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    clean
    	dry-run		f		Print the files that would be removed, but remove none.
    	now		f		Delete the files at once, and empty the trash.
    	linked-originals		f		Accept from now on that originals/ is a link to another folder.
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    serve	as
    token	as
    status
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    nodes
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    verify
    	repair		f		Fetch or make damaged and missing pictures again, and rebuild damaged indexes.
    	restart		f		Start from the beginning, not where an interrupted verification stopped.
    	keep				Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way, at once and to new ones, and pinned ones never do.
    	keep-free				Leave at least this much of the disk free of originals, 5G for example.
    	objects				Keep originals in this S3 bucket, s3://bucket/prefix, and those on the disk as a cache of it. The environment has the credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION.
    	extra-ca		p		Trust the certificate authorities of this PEM file, too.
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.
    recover	a
    	cache		p		The library's folder, or the address of its PostgreSQL database.
    	json		f		Print results as JSON, one object a line.
    	quiet	q	f		Print results and failures only: no summaries, no progress, no notes.
    	verbose	v	f		Log what is done, and every blemish, to standard error.
    	color			auto	Colour messages: auto, on a terminal; always; never.

    """#
}
