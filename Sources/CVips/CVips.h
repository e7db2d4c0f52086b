#ifndef GALLERY_CVIPS_H
#define GALLERY_CVIPS_H

#include <string.h>
#include <vips/vips.h>
#include <vips/vector.h>

/* Disables vector code that is generated at run time in executable memory. Versions up to 8.15 generate it;
   later versions contain compiled vector code. */
static inline void cvips_make_no_code(void)
{
#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 16
  vips_vector_set_enabled(FALSE);
#endif
}

/* Disables the loaders that libvips does not trust with strangers' files, except those below: a sandbox and limits
   hold these. Returns FALSE before 8.13, where that is impossible: the program uses only the loaders below there,
   too, but libvips does not enforce it. */
static inline gboolean cvips_trust_no_other_loaders(void)
{
#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 13
  return FALSE;
#else
  vips_block_untrusted_set(TRUE);
  vips_operation_block_set("VipsForeignLoadJxl", FALSE);
  vips_operation_block_set("VipsForeignLoadJp2k", FALSE);
  vips_operation_block_set("VipsForeignLoadSvg", FALSE);
  return TRUE;
#endif
}

/* Swift cannot call variadic functions, as all operations of libvips are. So each operation that is used has
   a function, with the options that are used. All return 0 on success, and an image that the caller unrefs. */

/* The caller names the loader instead of letting libvips find it. So a file that is valid in two formats is
   read in the format for which it was checked. Pictures are read once, from top to bottom. */
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

/* Loads a frame. */
static inline int cvips_load_gif(
  VipsSource *source, VipsImage **image, int frame, VipsFailOn fail_on)
{
  return vips_gifload_source(source, image, "page", frame, "n", 1,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* Loads a frame, scaled down by `scale`, which is at most 1. */
static inline int cvips_load_webp(
  VipsSource *source, VipsImage **image, int frame, double scale, VipsFailOn fail_on)
{
  return vips_webpload_source(source, image, "page", frame, "n", 1, "scale", scale,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* Loads a page, or the picture of a directory below it, whose number is -1 for none. */
static inline int cvips_load_tiff(
  VipsSource *source, VipsImage **image, int page, int subdirectory, VipsFailOn fail_on)
{
  return vips_tiffload_source(source, image, "page", page, "subifd", subdirectory, "n", 1,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* Loads the primary picture of an AVIF or HEIC file. */
static inline int cvips_load_heif(VipsSource *source, VipsImage **image, VipsFailOn fail_on)
{
  return vips_heifload_source(source, image,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* Loads a frame. */
static inline int cvips_load_jxl(
  VipsSource *source, VipsImage **image, int frame, VipsFailOn fail_on)
{
#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 16
  (void)frame;
  return vips_jxlload_source(source, image,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
#else
  return vips_jxlload_source(source, image, "page", frame, "n", 1,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
#endif
}

static inline int cvips_load_jp2k(VipsSource *source, VipsImage **image, VipsFailOn fail_on)
{
  return vips_jp2kload_source(source, image,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* Loads an SVG at a size that is scaled by `scale`. It has no address, so librsvg resolves no external reference. */
static inline int cvips_load_svg(
  VipsSource *source, VipsImage **image, double scale, VipsFailOn fail_on)
{
  return vips_svgload_source(source, image, "scale", scale,
    "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/* Makes a source that reads from a function, once, to the end; `release` is called with the context when
   libvips releases the source. */
static inline VipsSource *cvips_source_reading(
  gint64 (*read)(VipsSourceCustom *, void *, gint64, void *), void *context,
  void (*release)(void *, GClosure *))
{
  VipsSourceCustom *source = vips_source_custom_new();
  g_signal_connect_data(source, "read", G_CALLBACK(read), context, release, (GConnectFlags)0);
  return VIPS_SOURCE(source);
}

/* Makes a source that reads from a function, in the order of another function's places. */
static inline VipsSource *cvips_source_seeking(
  gint64 (*read)(VipsSourceCustom *, void *, gint64, void *),
  gint64 (*seek)(VipsSourceCustom *, gint64, int, void *), void *context,
  void (*release)(void *, GClosure *))
{
  VipsSourceCustom *source = vips_source_custom_new();
  g_signal_connect(source, "seek", G_CALLBACK(seek), context);
  g_signal_connect_data(source, "read", G_CALLBACK(read), context, release, (GConnectFlags)0);
  return VIPS_SOURCE(source);
}

/* Makes a source that reads a copy of bytes. */
static inline VipsSource *cvips_source_copying(const void *bytes, size_t count)
{
  VipsBlob *blob = vips_blob_copy(bytes, count);
  VipsSource *source = vips_source_new_from_blob(blob);
  vips_area_unref(VIPS_AREA(blob));
  return source;
}

/* Makes a picture in sRGB or grey from a copy of pixels with one byte for each band; NULL on failure. */
static inline VipsImage *cvips_image_of_pixels(
  const void *pixels, size_t count, int width, int height, int bands)
{
  VipsImage *image =
    vips_image_new_from_memory_copy(pixels, count, width, height, bands, VIPS_FORMAT_UCHAR);
  if(image) image->Type = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  return image;
}

/* Reduces integer samples of four bytes to their most significant byte, and takes signed bytes for unsigned ones, as
   libtiff's own reader of colours does: the programs that mark bytes as signed leave their bits as they were, so that
   -1 is white. Other pictures are copied unchanged. */
static inline int cvips_bytes_of_odd_samples(VipsImage *image, VipsImage **result)
{
  VipsImage *bytes = NULL;
  VipsInterpretation colours = image->Bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  if(vips_image_get_format(image) == VIPS_FORMAT_CHAR)
    return vips_copy(image, result, "format", VIPS_FORMAT_UCHAR, "interpretation", colours, NULL);
  if(vips_image_get_format(image) != VIPS_FORMAT_UINT) return vips_copy(image, result, NULL);
  if(vips_msb(image, &bytes, NULL)) return -1;
  int status = vips_copy(bytes, result, "interpretation", colours, NULL);
  g_object_unref(bytes);
  return status;
}

/* Converts float samples with a profile from 0 to 1 to 16 bits, and clips the others. Other pictures are copied
   unchanged. */
static inline int cvips_16_bits_of_fractions(VipsImage *image, VipsImage **result)
{
  VipsImage *large = NULL, *whole = NULL;
  VipsInterpretation colours = image->Bands < 3 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16;
  if(vips_image_get_format(image) != VIPS_FORMAT_FLOAT || !vips_image_get_typeof(image, VIPS_META_ICC_NAME))
    return vips_copy(image, result, NULL);
  if(vips_linear1(image, &large, 65535, 0.5, NULL)) return -1;
  int status = vips_cast_ushort(large, &whole, NULL);
  g_object_unref(large);
  if(status) return -1;
  status = vips_copy(whole, result, "interpretation", colours, NULL);
  g_object_unref(whole);
  return status;
}

/* Returns bytes of metadata, which belong to the image; NULL when there are none. */
static inline const void *cvips_blob(VipsImage *image, const char *field, size_t *count)
{
  const void *bytes = NULL;
  if(!vips_image_get_typeof(image, field)) return NULL;
  return vips_image_get_blob(image, field, &bytes, count) == 0 ? bytes : NULL;
}

static inline int cvips_copy(VipsImage *image, VipsImage **result)
{
  return vips_copy(image, result, NULL);
}

static inline int cvips_without_profile(VipsImage *image, VipsImage **result)
{
  if(vips_copy(image, result, NULL)) return -1;
  vips_image_remove(*result, VIPS_META_ICC_NAME);
  return 0;
}

/* Gives a picture a copy of a profile. */
static inline int cvips_with_profile(
  VipsImage *image, VipsImage **result, const void *profile, size_t count)
{
  if(vips_copy(image, result, NULL)) return -1;
  vips_image_set_blob_copy(*result, VIPS_META_ICC_NAME, profile, count);
  return 0;
}

/* Gives a picture an orientation (EXIF 2.32, section 4.6.4, tag 274). */
static inline int cvips_with_orientation(VipsImage *image, VipsImage **result, int orientation)
{
  if(vips_copy(image, result, NULL)) return -1;
  vips_image_set_int(*result, VIPS_META_ORIENTATION, orientation);
  return 0;
}

/* Divides the colours of a picture by its alpha; the format of its samples stays. */
static inline int cvips_unpremultiply(VipsImage *image, VipsImage **result)
{
  VipsImage *divided = NULL;
  double most = vips_image_get_format(image) == VIPS_FORMAT_USHORT ? 65535 : 255;
  if(vips_unpremultiply(image, &divided, "max_alpha", most, NULL)) return -1;
  int status = vips_cast(divided, result, vips_image_get_format(image), NULL);
  g_object_unref(divided);
  return status;
}

/* Makes a picture without alpha transparent outside a rectangle. */
static inline int cvips_on_clear_screen(
  VipsImage *image, VipsImage **result, int left, int top, int width, int height)
{
  VipsImage *part = NULL, *opaque = NULL;
  int status = vips_extract_area(image, &part, left, top, width, height, NULL)
    || vips_addalpha(part, &opaque, NULL)
    || vips_embed(opaque, result, left, top, image->Xsize, image->Ysize, NULL);
  if(part) g_object_unref(part);
  if(opaque) g_object_unref(opaque);
  return status ? -1 : 0;
}

/* Returns whether the bytes of each band differ by at most `tolerance`, or all alpha is that small. The pixels are
   in memory, with one byte for each band. */
static inline gboolean cvips_is_blank(VipsImage *image, int tolerance)
{
  int bands = image->Bands, least[4] = { 255, 255, 255, 255 }, most[4] = { 0, 0, 0, 0 };
  if(bands > 4 || vips_image_get_format(image) != VIPS_FORMAT_UCHAR) return FALSE;
  for(int y = 0; y < image->Ysize; y++) {
    const unsigned char *row = VIPS_IMAGE_ADDR(image, 0, y);
    for(int i = 0; i < image->Xsize * bands; i++) {
      int band = i % bands;
      if(row[i] < least[band]) least[band] = row[i];
      if(row[i] > most[band]) most[band] = row[i];
    }
  }
  if(vips_image_hasalpha(image) && most[bands - 1] <= tolerance) return TRUE;
  for(int band = 0; band < bands; band++)
    if(most[band] - least[band] > tolerance) return FALSE;
  return TRUE;
}

/* Cuts a rectangle out of a picture. */
static inline int cvips_crop(
  VipsImage *image, VipsImage **result, int left, int top, int width, int height)
{
  return vips_extract_area(image, result, left, top, width, height, NULL);
}

/* Fits a picture into a box, and turns it upright by its orientation. VIPS_SIZE_DOWN never enlarges it;
   VIPS_SIZE_FORCE gives it exactly the size of the box. A picture with a profile is converted to sRGB with the
   profile that is built into libvips. A picture without one is assumed to be sRGB, and a conversion would only
   lose quality. */
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

/* Makes pixels white from middle grey upwards, and black below it. */
static inline int cvips_to_black_and_white(VipsImage *image, VipsImage **result)
{
  return vips_moreeq_const1(image, result, 128, NULL);
}

/* Puts a picture with an alpha channel on a white background. */
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

/* Turns a picture clockwise; its pixels must be in memory. */
static inline int cvips_turn(VipsImage *image, VipsImage **result, VipsAngle angle)
{
  return vips_rot(image, result, angle, NULL);
}

static inline int cvips_to_bytes(VipsImage *image, VipsImage **result)
{
  return vips_cast(image, result, VIPS_FORMAT_UCHAR, NULL);
}

/* Adds an opaque alpha channel. */
static inline int cvips_add_alpha(VipsImage *image, VipsImage **result)
{
  return vips_addalpha(image, result, NULL);
}

static inline int cvips_first_bands(VipsImage *image, VipsImage **result, int count)
{
  return vips_extract_band(image, result, 0, "n", count, NULL);
}

/* Finds the smallest value of a band. */
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

/* Encodes a picture without its metadata; the caller frees the bytes with g_free. */
static inline int cvips_save_jpeg(VipsImage *image, void **bytes, size_t *count, int quality)
{
  return vips_jpegsave_buffer(image, bytes, count, "Q", quality,
    "optimize_coding", TRUE, "strip", TRUE, NULL);
}

/* Uses the standard Huffman tables; optimised tables would need all coefficients in memory. */
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

/* libvips 8.14 ignores "strip": it writes EXIF, XMP and the profile of the original, and makes an EXIF for a picture
   without one. `MadeBytes.webP` removes them. */
static inline int cvips_save_webp(
  VipsImage *image, void **bytes, size_t *count, int quality, int effort)
{
  return vips_webpsave_buffer(image, bytes, count, "Q", quality, "effort", effort, "strip", TRUE, NULL);
}

static inline int cvips_save_lossless_webp(VipsImage *image, void **bytes, size_t *count)
{
  return vips_webpsave_buffer(image, bytes, count, "lossless", TRUE, "strip", TRUE, NULL);
}

/* Swift cannot use GObject's macros for casts and types. */
static inline void cvips_unref(void *object)
{
  g_object_unref(object);
}

/* Returns a number; 0 when the field is missing or not a number. */
static inline int cvips_number(VipsImage *image, const char *field)
{
  int value = 0;
  if(vips_image_get_typeof(image, field) != G_TYPE_INT) return 0;
  return vips_image_get_int(image, field, &value) == 0 ? value : 0;
}

/* Returns a text, which belongs to the image; NULL when the field is missing or not a text. */
static inline const char *cvips_text(VipsImage *image, const char *field)
{
  const char *value = NULL;
  if(vips_image_get_typeof(image, field) != VIPS_TYPE_REF_STRING) return NULL;
  return vips_image_get_string(image, field, &value) == 0 ? value : NULL;
}

/* Computes a whole picture in the calling thread, without starting other threads. */
static inline int cvips_compute_here(VipsImage *image)
{
  VipsRegion *region = vips_region_new(image);
  VipsRect all = { 0, 0, image->Xsize, image->Ysize };
  int status = vips_region_prepare(region, &all);
  g_object_unref(region);
  return status;
}

#endif
