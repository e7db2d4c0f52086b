#ifndef GALLERY_CVIPS_H
#define GALLERY_CVIPS_H

#include <vips/vips.h>
#include <vips/vector.h>

/* Up to 8.15, vector code is made at run time, in memory that may be executed; later ones have it
   compiled in. */
static inline void cvips_make_no_code(void)
{
#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 16
  vips_vector_set_enabled(FALSE);
#endif
}

/* Turns off the loaders that libvips does not trust with strangers' files; 8.13. FALSE where it
   cannot: only the loaders named below are used there as well, but nothing else holds them to it. */
static inline gboolean cvips_trust_no_other_loaders(void)
{
#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 13
  return FALSE;
#else
  vips_block_untrusted_set(TRUE);
  return TRUE;
#endif
}

static inline GLogWriterOutput cvips_drop_log(
  GLogLevelFlags level, const GLogField *fields, gsize count, gpointer context)
{
  (void)level; (void)fields; (void)count; (void)context;
  return G_LOG_WRITER_HANDLED;
}

/* Warnings about pictures are for nobody; writing them would look up the time zone's file. */
static inline void cvips_be_quiet(void)
{
  g_log_set_writer_func(cvips_drop_log, NULL, NULL);
}

/* Swift calls no C variadics, and all operations of libvips are: a function for each one used, with
   the options that are used. All give 0 on success, and an image that the caller unrefs. */

/* The loader of each format is named rather than looked for, so that a file which is two formats at
   once is read as the one it was checked for. Pictures are read from top to bottom, once. */
static inline int cvips_load_jpeg(
  VipsSource *source, VipsImage **image, int shrink, VipsFailOn fail_on)
{
  return vips_jpegload_source(source, image, "shrink", shrink,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

static inline int cvips_load_png(VipsSource *source, VipsImage **image, VipsFailOn fail_on)
{
  return vips_pngload_source(source, image,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* The first frame. */
static inline int cvips_load_gif(VipsSource *source, VipsImage **image, VipsFailOn fail_on)
{
  return vips_gifload_source(source, image, "n", 1,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* The first frame, made smaller by `scale`, 1 at most. */
static inline int cvips_load_webp(
  VipsSource *source, VipsImage **image, double scale, VipsFailOn fail_on)
{
  return vips_webpload_source(source, image, "n", 1, "scale", scale,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* The first page. */
static inline int cvips_load_tiff(VipsSource *source, VipsImage **image, VipsFailOn fail_on)
{
  return vips_tiffload_source(source, image, "n", 1,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* The primary picture of an AVIF or HEIC file. */
static inline int cvips_load_heif(VipsSource *source, VipsImage **image, VipsFailOn fail_on)
{
  return vips_heifload_source(source, image,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* Reads what a function gives, to the end and once; `release` is called with the context when
   libvips has let go of the source. */
static inline VipsSource *cvips_source_reading(
  gint64 (*read)(VipsSourceCustom *, void *, gint64, void *), void *context,
  void (*release)(void *, GClosure *))
{
  VipsSourceCustom *source = vips_source_custom_new();
  g_signal_connect_data(source, "read", G_CALLBACK(read), context, release, (GConnectFlags)0);
  return VIPS_SOURCE(source);
}

/* Reads a copy of bytes. */
static inline VipsSource *cvips_source_copying(const void *bytes, size_t count)
{
  VipsBlob *blob = vips_blob_copy(bytes, count);
  VipsSource *source = vips_source_new_from_blob(blob);
  vips_area_unref(VIPS_AREA(blob));
  return source;
}

/* A picture in sRGB or grey from pixels of a byte a band, which are copied; NULL on failure. */
static inline VipsImage *cvips_image_of_pixels(
  const void *pixels, size_t count, int width, int height, int bands)
{
  VipsImage *image =
    vips_image_new_from_memory_copy(pixels, count, width, height, bands, VIPS_FORMAT_UCHAR);
  if(image) image->Type = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  return image;
}

/* Whole numbers that are signed, or longer than two bytes, become their highest byte, and signed ones
   begin with black: libvips would cut them off. Other pictures stay as they are. */
static inline int cvips_bytes_of_odd_samples(VipsImage *image, VipsImage **result)
{
  VipsImage *bytes = NULL;
  VipsBandFormat format = vips_image_get_format(image);
  if(format != VIPS_FORMAT_CHAR && format != VIPS_FORMAT_SHORT && format != VIPS_FORMAT_INT
    && format != VIPS_FORMAT_UINT)
    return vips_copy(image, result, NULL);
  if(vips_msb(image, &bytes, NULL)) return -1;
  int status = vips_copy(bytes, result, "interpretation",
    bytes->Bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, NULL);
  g_object_unref(bytes);
  return status;
}

/* Bytes of metadata, which belong to the image; NULL when there are none. */
static inline const void *cvips_blob(VipsImage *image, const char *field, size_t *count)
{
  const void *bytes = NULL;
  if(!vips_image_get_typeof(image, field)) return NULL;
  return vips_image_get_blob(image, field, &bytes, count) == 0 ? bytes : NULL;
}

/* A rectangle of a picture. */
static inline int cvips_crop(
  VipsImage *image, VipsImage **result, int left, int top, int width, int height)
{
  return vips_extract_area(image, result, left, top, width, height, NULL);
}

/* Makes a picture fit into a box (VIPS_SIZE_DOWN: never larger than it is; VIPS_SIZE_FORCE: exactly
   of the box's size), turned as its orientation says. One with a profile is taken to sRGB by the profile that is built into libvips; one without is taken
   to be sRGB, and would only lose by being led through profiles. */
static inline int cvips_thumbnail(
  VipsImage *image, VipsImage **result, int width, int height, VipsSize size,
  VipsIntent intent, VipsFailOn fail_on)
{
  if(!vips_image_get_typeof(image, VIPS_META_ICC_NAME))
    return vips_thumbnail_image(image, result, width, "height", height,
      "size", size, "fail_on", fail_on, NULL);
  return vips_thumbnail_image(image, result, width, "height", height,
    "size", size, "export_profile", "srgb", "intent", intent,
    "fail_on", fail_on, NULL);
}

static inline int cvips_to_srgb(VipsImage *image, VipsImage **result)
{
  return vips_colourspace(image, result, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int cvips_to_grey(VipsImage *image, VipsImage **result)
{
  return vips_colourspace(image, result, VIPS_INTERPRETATION_B_W, NULL);
}

/* White from the middle grey on, and black below it. */
static inline int cvips_to_black_and_white(VipsImage *image, VipsImage **result)
{
  return vips_moreeq_const1(image, result, 128, NULL);
}

/* White in place of what is transparent; the picture has an alpha. */
static inline int cvips_on_white(VipsImage *image, VipsImage **result)
{
  double white = 255;
  VipsArrayDouble *background = vips_array_double_new(&white, 1);
  int status = vips_flatten(image, result, "background", background, NULL);
  vips_area_unref(VIPS_AREA(background));
  return status;
}

/* Swaps left and right. */
static inline int cvips_mirror(VipsImage *image, VipsImage **result)
{
  return vips_flip(image, result, VIPS_DIRECTION_HORIZONTAL, NULL);
}

/* Turns clockwise; the pixels have to be in memory. */
static inline int cvips_turn(VipsImage *image, VipsImage **result, VipsAngle angle)
{
  return vips_rot(image, result, angle, NULL);
}

static inline int cvips_to_bytes(VipsImage *image, VipsImage **result)
{
  return vips_cast(image, result, VIPS_FORMAT_UCHAR, NULL);
}

/* Opaque everywhere. */
static inline int cvips_add_alpha(VipsImage *image, VipsImage **result)
{
  return vips_addalpha(image, result, NULL);
}

static inline int cvips_first_bands(VipsImage *image, VipsImage **result, int count)
{
  return vips_extract_band(image, result, 0, "n", count, NULL);
}

/* The smallest value of a band. */
static inline int cvips_band_minimum(VipsImage *image, int band, double *minimum)
{
  VipsImage *one = NULL;
  int status = vips_extract_band(image, &one, band, NULL);
  if(status == 0) {
    status = vips_min(one, minimum, NULL);
    g_object_unref(one);
  }
  return status;
}

/* The bytes are the caller's, to be freed with g_free. Metadata stays behind. */
static inline int cvips_save_jpeg(VipsImage *image, void **bytes, size_t *count, int quality)
{
  return vips_jpegsave_buffer(image, bytes, count, "Q", quality,
    "optimize_coding", TRUE, "strip", TRUE, NULL);
}

/* With the Huffman tables of the standard: better ones would take all coefficients in memory. */
static inline int cvips_stream_jpeg(VipsImage *image, void **bytes, size_t *count, int quality)
{
  return vips_jpegsave_buffer(image, bytes, count, "Q", quality, "strip", TRUE, NULL);
}

static inline int cvips_save_png(
  VipsImage *image, void **bytes, size_t *count, int compression, int bit_depth)
{
  return vips_pngsave_buffer(image, bytes, count, "compression", compression,
    "bitdepth", bit_depth, "strip", TRUE, NULL);
}

static inline int cvips_save_webp(
  VipsImage *image, void **bytes, size_t *count, int quality, int effort)
{
  return vips_webpsave_buffer(image, bytes, count, "Q", quality,
    "effort", effort, "strip", TRUE, NULL);
}

/* GObject's macros for casts and types are out of Swift's reach. */
static inline void cvips_unref(void *object)
{
  g_object_unref(object);
}

/* 0 when the field is missing or no number. */
static inline int cvips_number(VipsImage *image, const char *field)
{
  int value = 0;
  if(vips_image_get_typeof(image, field) != G_TYPE_INT) return 0;
  return vips_image_get_int(image, field, &value) == 0 ? value : 0;
}

/* NULL when the field is missing or no text; belongs to the image. */
static inline const char *cvips_text(VipsImage *image, const char *field)
{
  const char *value = NULL;
  if(vips_image_get_typeof(image, field) != VIPS_TYPE_REF_STRING) return NULL;
  return vips_image_get_string(image, field, &value) == 0 ? value : NULL;
}

/* Computes a whole picture in the calling thread, which starts no other one. */
static inline int cvips_compute_here(VipsImage *image)
{
  VipsRegion *region = vips_region_new(image);
  VipsRect all = { 0, 0, image->Xsize, image->Ysize };
  int status = vips_region_prepare(region, &all);
  g_object_unref(region);
  return status;
}

#endif
