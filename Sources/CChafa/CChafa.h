#ifndef GALLERY_CCHAFA_H
#define GALLERY_CCHAFA_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

/* The part of libchafa 1.12 that is used. It is declared here because the library is loaded only when
 * the first picture is drawn; linking it, and GLib with it, would make every command start later.
 * Scripts/test compiles this file after the library's own header to prove that both agree. */

#ifndef __CHAFA_H__
typedef struct ChafaCanvas ChafaCanvas;
typedef struct ChafaCanvasConfig ChafaCanvasConfig;
typedef struct ChafaSymbolMap ChafaSymbolMap;
typedef struct ChafaTermDb ChafaTermDb;
typedef struct ChafaTermInfo ChafaTermInfo;
typedef struct _GError GError;
typedef struct _GString {
  char *str;
  size_t len;
  size_t allocated_len;
} GString;
typedef unsigned int ChafaCanvasMode;
typedef unsigned int ChafaColorSpace;
typedef unsigned int ChafaDitherMode;
typedef unsigned int ChafaPixelMode;
typedef unsigned int ChafaPixelType;
typedef unsigned int ChafaSymbolTags;
typedef unsigned int ChafaTermSeq;
#endif

/* Constants, with their values in the library's binary interface. */
enum {
  CCHAFA_CANVAS_MODE_TRUECOLOR = 0,
  CCHAFA_CANVAS_MODE_INDEXED_240 = 2,
  CCHAFA_CANVAS_MODE_INDEXED_16 = 3,
  CCHAFA_CANVAS_MODE_FGBG = 5,
  CCHAFA_COLOR_SPACE_DIN99D = 1,
  CCHAFA_DITHER_MODE_DIFFUSION = 2,
  CCHAFA_PIXEL_MODE_SYMBOLS = 0,
  CCHAFA_PIXEL_MODE_SIXELS = 1,
  CCHAFA_PIXEL_MODE_KITTY = 2,
  CCHAFA_PIXEL_MODE_ITERM2 = 3,
  CCHAFA_PIXEL_RGBA8_PREMULTIPLIED = 0,
  CCHAFA_PIXEL_RGBA8_UNASSOCIATED = 4,
  CCHAFA_SYMBOL_TAG_SPACE = 1 << 0,
  CCHAFA_SYMBOL_TAG_SOLID = 1 << 1,
  CCHAFA_SYMBOL_TAG_STIPPLE = 1 << 2,
  CCHAFA_SYMBOL_TAG_BLOCK = 1 << 3,
  CCHAFA_SYMBOL_TAG_HALF = 1 << 8 | 1 << 9,
  CCHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1 = 43
};

ChafaCanvasConfig *chafa_canvas_config_new(void);
void chafa_canvas_config_unref(ChafaCanvasConfig *config);
void chafa_canvas_config_set_geometry(ChafaCanvasConfig *config, int width, int height);
void chafa_canvas_config_set_cell_geometry(ChafaCanvasConfig *config, int cell_width,
                                           int cell_height);
void chafa_canvas_config_set_canvas_mode(ChafaCanvasConfig *config, ChafaCanvasMode mode);
void chafa_canvas_config_set_color_space(ChafaCanvasConfig *config, ChafaColorSpace color_space);
void chafa_canvas_config_set_dither_mode(ChafaCanvasConfig *config, ChafaDitherMode dither_mode);
void chafa_canvas_config_set_pixel_mode(ChafaCanvasConfig *config, ChafaPixelMode pixel_mode);
void chafa_canvas_config_set_bg_color(ChafaCanvasConfig *config, uint32_t bg_color_packed_rgb);
void chafa_canvas_config_set_fg_color(ChafaCanvasConfig *config, uint32_t fg_color_packed_rgb);
void chafa_canvas_config_set_symbol_map(ChafaCanvasConfig *config,
                                        const ChafaSymbolMap *symbol_map);
ChafaSymbolMap *chafa_symbol_map_new(void);
void chafa_symbol_map_unref(ChafaSymbolMap *symbol_map);
void chafa_symbol_map_add_by_tags(ChafaSymbolMap *symbol_map, ChafaSymbolTags tags);
ChafaCanvas *chafa_canvas_new(const ChafaCanvasConfig *config);
void chafa_canvas_unref(ChafaCanvas *canvas);
void chafa_canvas_draw_all_pixels(ChafaCanvas *canvas, ChafaPixelType src_pixel_type,
                                  const uint8_t *src_pixels, int src_width, int src_height,
                                  int src_rowstride);
GString *chafa_canvas_print(ChafaCanvas *canvas, ChafaTermInfo *term_info);
void chafa_term_info_unref(ChafaTermInfo *term_info);
int chafa_term_info_set_seq(ChafaTermInfo *term_info, ChafaTermSeq seq, const char *str,
                             GError **error);
ChafaTermDb *chafa_term_db_get_default(void);
ChafaTermInfo *chafa_term_db_get_fallback_info(ChafaTermDb *term_db);
/* In parentheses, because newer versions of GLib have a macro with this name. */
char *(g_string_free)(GString *string, int free_segment);

/* The functions of the loaded library. Any thread may call them. */
typedef struct __attribute__((swift_attr("@Sendable"))) {
  __typeof__(chafa_canvas_config_new) *canvas_config_new;
  __typeof__(chafa_canvas_config_unref) *canvas_config_unref;
  __typeof__(chafa_canvas_config_set_geometry) *canvas_config_set_geometry;
  __typeof__(chafa_canvas_config_set_cell_geometry) *canvas_config_set_cell_geometry;
  __typeof__(chafa_canvas_config_set_canvas_mode) *canvas_config_set_canvas_mode;
  __typeof__(chafa_canvas_config_set_color_space) *canvas_config_set_color_space;
  __typeof__(chafa_canvas_config_set_dither_mode) *canvas_config_set_dither_mode;
  __typeof__(chafa_canvas_config_set_pixel_mode) *canvas_config_set_pixel_mode;
  __typeof__(chafa_canvas_config_set_bg_color) *canvas_config_set_bg_color;
  __typeof__(chafa_canvas_config_set_fg_color) *canvas_config_set_fg_color;
  __typeof__(chafa_canvas_config_set_symbol_map) *canvas_config_set_symbol_map;
  __typeof__(chafa_symbol_map_new) *symbol_map_new;
  __typeof__(chafa_symbol_map_unref) *symbol_map_unref;
  __typeof__(chafa_symbol_map_add_by_tags) *symbol_map_add_by_tags;
  __typeof__(chafa_canvas_new) *canvas_new;
  __typeof__(chafa_canvas_unref) *canvas_unref;
  __typeof__(chafa_canvas_draw_all_pixels) *canvas_draw_all_pixels;
  __typeof__(chafa_canvas_print) *canvas_print;
  __typeof__(chafa_term_info_unref) *term_info_unref;
  __typeof__(chafa_term_info_set_seq) *term_info_set_seq;
  __typeof__(chafa_term_db_get_default) *term_db_get_default;
  __typeof__(chafa_term_db_get_fallback_info) *term_db_get_fallback_info;
  __typeof__(g_string_free) *string_free;
} cchafa_functions;

/* Finds a function in the library, or in GLib, which is loaded with it. */
#define CCHAFA_FIND(member, name) \
  functions->member = (__typeof__(functions->member))dlsym(library, #name); \
  if(!functions->member) return 0

/* Loads the library for the lifetime of the process; returns 0 when it or a function is missing. */
static inline int cchafa_load(cchafa_functions *functions)
{
  void *library = dlopen("libchafa.so.0", RTLD_NOW | RTLD_LOCAL);
  if(!library) return 0;
  CCHAFA_FIND(canvas_config_new, chafa_canvas_config_new);
  CCHAFA_FIND(canvas_config_unref, chafa_canvas_config_unref);
  CCHAFA_FIND(canvas_config_set_geometry, chafa_canvas_config_set_geometry);
  CCHAFA_FIND(canvas_config_set_cell_geometry, chafa_canvas_config_set_cell_geometry);
  CCHAFA_FIND(canvas_config_set_canvas_mode, chafa_canvas_config_set_canvas_mode);
  CCHAFA_FIND(canvas_config_set_color_space, chafa_canvas_config_set_color_space);
  CCHAFA_FIND(canvas_config_set_dither_mode, chafa_canvas_config_set_dither_mode);
  CCHAFA_FIND(canvas_config_set_pixel_mode, chafa_canvas_config_set_pixel_mode);
  CCHAFA_FIND(canvas_config_set_bg_color, chafa_canvas_config_set_bg_color);
  CCHAFA_FIND(canvas_config_set_fg_color, chafa_canvas_config_set_fg_color);
  CCHAFA_FIND(canvas_config_set_symbol_map, chafa_canvas_config_set_symbol_map);
  CCHAFA_FIND(symbol_map_new, chafa_symbol_map_new);
  CCHAFA_FIND(symbol_map_unref, chafa_symbol_map_unref);
  CCHAFA_FIND(symbol_map_add_by_tags, chafa_symbol_map_add_by_tags);
  CCHAFA_FIND(canvas_new, chafa_canvas_new);
  CCHAFA_FIND(canvas_unref, chafa_canvas_unref);
  CCHAFA_FIND(canvas_draw_all_pixels, chafa_canvas_draw_all_pixels);
  CCHAFA_FIND(canvas_print, chafa_canvas_print);
  CCHAFA_FIND(term_info_unref, chafa_term_info_unref);
  CCHAFA_FIND(term_info_set_seq, chafa_term_info_set_seq);
  CCHAFA_FIND(term_db_get_default, chafa_term_db_get_default);
  CCHAFA_FIND(term_db_get_fallback_info, chafa_term_db_get_fallback_info);
  CCHAFA_FIND(string_free, g_string_free);
  return 1;
}

#undef CCHAFA_FIND

#ifdef __CHAFA_H__
#define CCHAFA_SAME(name) _Static_assert((int)C##name == (int)name, #name)
CCHAFA_SAME(CHAFA_CANVAS_MODE_TRUECOLOR);
CCHAFA_SAME(CHAFA_CANVAS_MODE_INDEXED_240);
CCHAFA_SAME(CHAFA_CANVAS_MODE_INDEXED_16);
CCHAFA_SAME(CHAFA_CANVAS_MODE_FGBG);
CCHAFA_SAME(CHAFA_COLOR_SPACE_DIN99D);
CCHAFA_SAME(CHAFA_DITHER_MODE_DIFFUSION);
CCHAFA_SAME(CHAFA_PIXEL_MODE_SYMBOLS);
CCHAFA_SAME(CHAFA_PIXEL_MODE_SIXELS);
CCHAFA_SAME(CHAFA_PIXEL_MODE_KITTY);
CCHAFA_SAME(CHAFA_PIXEL_MODE_ITERM2);
CCHAFA_SAME(CHAFA_PIXEL_RGBA8_PREMULTIPLIED);
CCHAFA_SAME(CHAFA_PIXEL_RGBA8_UNASSOCIATED);
CCHAFA_SAME(CHAFA_SYMBOL_TAG_SPACE);
CCHAFA_SAME(CHAFA_SYMBOL_TAG_SOLID);
CCHAFA_SAME(CHAFA_SYMBOL_TAG_STIPPLE);
CCHAFA_SAME(CHAFA_SYMBOL_TAG_BLOCK);
CCHAFA_SAME(CHAFA_SYMBOL_TAG_HALF);
CCHAFA_SAME(CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1);
#undef CCHAFA_SAME
#endif

#endif
