"""Makes the two fonts of the page, and characters.txt, which lists their characters. Run it again when a test misses a character.

With Debian's packages fonttools (4.38) and python3-brotli (1.0.9), the same files come out each time:

    npm pack @fontsource-variable/vazirmatn@5.3.0 @fontsource-variable/inter@5.3.0
    for each of the two: mkdir NAME && tar xzf fontsource-variable-NAME-5.3.0.tgz -C NAME --strip-components 1
    /usr/bin/python3 make.py vazirmatn/files/vazirmatn-arabic-wght-normal.woff2 inter/files/inter-latin-wght-normal.woff2
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from fontTools.varLib import instancer

HERE = Path(__file__).parent
LIGHT, BOLD = 400, 650
# Marks, digits and letters of Persian, Arabic, Kurdish and Urdu, because operators can name assets in these languages.
ARABIC = [*map(ord, "،؛؟ـ٪٫٬ٰ"), *range(0x621, 0x63B), *range(0x641, 0x656), *range(0x660, 0x66A), *range(0x6F0, 0x6FA), 0x200C, 0x200D, 0x200E, 0x200F,
          *map(ord, "ٱپچژکگیۀڕڤڵۆۇێەٹڈڑںھہۂۃےۓ۔")]
# ASCII, and those symbols of the page that Inter's package contains.
LATIN = [*range(0x20, 0x7F), *map(ord, "\u00a0«»·×÷±°©®™£¥€½¼¾–—−‘’‚“”„•…‹›↑↓")]
# The package makes every tabular figure as wide as ۳, which leaves gaps around ۱ and ۰. This is the width of ۵ and ۷.
FIGURE_WIDTH = 1216
# At this width, only a bold ۳ would touch its neighbours. This scale makes ۳ as wide as ۷ and ۸.
THREE = ("uni0663", "uni06F3")
THREE_SCALE = 0.93


def subset(path, characters, features):
    """The package's font with these characters and features, between the two weights."""
    font = TTFont(path, recalcTimestamp=False)
    options = Options(layout_features=features, name_IDs=[0, 1, 2, 13, 14], notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    return instancer.instantiateVariableFont(font, {"wght": (LIGHT, BOLD)})


def set_figures(font):
    """Centres each tabular figure in FIGURE_WIDTH, at every weight."""
    bold = instancer.instantiateVariableFont(font, {"wght": BOLD}, inplace=False)
    for name in font.getGlyphOrder():
        if not name.endswith(".tnum"):
            continue
        component = font["glyf"][name].components[0]
        plain = component.glyphName
        if plain in THREE:
            component.transform = [[THREE_SCALE, 0], [0, 1]]
        scale = THREE_SCALE if plain in THREE else 1
        light_x, bold_x = (centred(source["glyf"], plain, scale) for source in (font, bold))
        component.x = light_x
        font["glyf"][name].recalcBounds(font["glyf"])
        font["hmtx"][name] = (FIGURE_WIDTH, font["glyf"][name].xMin)
        # The position of the only component, then the four unchanged points that define the width.
        font["gvar"].variations[name] = [TupleVariation({"wght": (0, 1, 1)}, [(bold_x - light_x, 0), (0, 0), (0, 0), (0, 0), (0, 0)])]
        font["HVAR"].table.AdvWidthMap.mapping[name] = 0xFFFFFFFF  # the width does not vary


def centred(glyphs, name, scale):
    glyph = glyphs[name]
    glyph.recalcBounds(glyphs)
    return round((FIGURE_WIDTH - scale * (glyph.xMin + glyph.xMax)) / 2)


def ranges(characters):
    """The code points as in CSS: `U+0041 U+0061-007A`."""
    found = []
    for character in sorted(characters):
        if found and found[-1][1] == character - 1:
            found[-1][1] = character
        else:
            found.append([character, character])
    return " ".join(f"U+{first:04X}" if first == last else f"U+{first:04X}-{last:04X}" for first, last in found)


def main(vazirmatn_path, inter_path):
    joining = ["init", "medi", "fina", "rlig", "liga", "calt", "ccmp", "mark", "mkmk", "kern", "tnum"]
    vazirmatn = subset(vazirmatn_path, ARABIC, joining)
    set_figures(vazirmatn)
    inter = subset(inter_path, LATIN, ["kern", "tnum"])
    lines = []
    for name, font in {"vazirmatn": vazirmatn, "inter": inter}.items():
        font.flavor = "woff2"
        font.save(HERE / f"{name}.woff2")
        lines.append(f"{name} {ranges(font.getBestCmap())}\n")
    (HERE / "characters.txt").write_text("".join(lines))


main(*sys.argv[1:])
