"""The names of the cast: invented handles, as people choose them. Likeness to a real player is chance."""

__all__ = ["names"]

_NAMES = """
    Fennimoor · Quillsby · Tarnfeather · Ottoline · Brackwater · Juniper Vale · Moss & Iron
    Pellinore · Wren Halloway · Larkspur9 · Dovetail · Umberlee · Grisaille · Half Past Nine
    Kestrelle · Ninepin · Marrowby · Oakum · Saltcellar · Tindra · Bramblejack · Cinderpath
    Lowtide · Hazel Okoro · Peregrin · Sable Rook · Thimblerig · Vesper · Yarrow · Zephyrine
    Ashgrove · Bellwether · Corvane · Dusky Miller · Elderfen · Foxglove77 · Gannet · Hollowell
    Inkwell · Jackdaw Jim · Knotweed · Lanternjaw · Mudlark · Nettlebed · Old Compass · Pewter
    Quayside · Rimefrost · Sandpiper · Tansy · Underhill · Velvet Ox · Wicker · Xanthe · Yonder
    Zinnia · Amberley · Bold Plum · Cobalt · Driftwood · Echo Marsh · Fathom · Gingham · Harrier
    Isolde K · Jetsam · Kindling · Limpet · Moonwort · Nightjar · Ochre · Patchwork · Quern
    Ragwort · Slate · Tumbledown · Ursa Minor · Violet Tide · Wayfarer · Yew · Anchovy · Birchbark
    Candlewick · Dapple · Eventide · Flint · Gorse · Heathrow Owl · Icterine · Jasper Lund
    Kelpie · Loam · Marigold · Nutmeg · Otterly · Pinecone · Quince · Russet · Sorrel · Tidewrack
    Umbra · Verdigris · Whistledown · Yellowhammer · Åsa Nordby · Björke · Çınar · Dorrotýa
    Élodie M · Fjäril · Güneş · Håkon Vik · Ívar · Jürgen Holt · Kaléo · Łukomir · Mirëla · Ñandú
    Øystein · Pătru · Queñua · Réka · Søren Dal · Šárka · Tōma · Ülo · Vânia · Wójt · Yağmur
    Żabka · Þórdís · Ærlig · Čeněk · Đorđe · Ğizem · Kṛti · Lê Minh · Māra · Noëlle · Ömür
    Přemek · Rūta · Sérgio Pó · Tereška · Zoë Marchetti · Ægir · Ørsted Lane · Ñora · Мирна
    Ясень · Сойка · Зоряна · Радость · Ελπίδα · Πέτρα · Νηρέας · Αύρα · Apricity · Blunderbuss
    Cloudberry · Dandelion · Elmtree · Finch & Co · Goosander · Honeycomb · Iceplant · Jolly Tar
    Kingcup · Ladybower · Meadowlark · Nine Lives · Orrery · Ptarmigan · Quicksilver · Ribbonfish
    Sparrowgrass · Thistledown · Upland · Vinegar Tom · Windfall · Yardarm · Zigzag · Alder
    Bogbean · Chaffinch · Dunnock · Eyebright · Firkin · Greenfinch · Hedgerow · Isinglass
    Jackstraw · Knapweed · Linnet · Merganser · Nuthatch · Oxlip · Pipistrelle · Quailfeather
    Redwing · Sedge · Teasel · Umbel · Vetch · Waxwing · Yaffle · Ziggurat · Abacus · Barnacle
    Cardigan · Doubloon · Earwig · Ferrule · Gambrel · Hogmanay · Ironmonger · Jumble · Kettle
    Lacewing · Mandolin · Noggin · Oddment · Pomander · Quibble · Rigmarole · Sixpence · Turnstile
    Umbrage · Viaduct · Whatnot · Yodel · Zither · Anemone · Basalt · Copperplate · Damson
    Ember Lane · Feldspar · Gossamer · Hornbeam · Indigo · Jonquil · Kittiwake · Lodestone
    Malachite · Nocturne · Obsidian Pea · Porcelain · Quartzite · Rosehip · Snowberry · Tourmaline
    Ultramarine · Vermilion · Willowherb · Yarrowstalk · Zircon · Aster · Burdock · Campion
    Dogrose · Figwort · Gentian · Hawkbit · Lovage · Mugwort · Orache · Pimpernel · Ramson
    Saxifrage · Toadflax · Valerian · Woodruff · Speedwell · Sundew · Pebbledash · Halyard
    Mizzen · Bowsprit · Capstan · Tamarisk · Samphire · Marram · Wrack Lee · Skerry · Cormorant
    Tom Farthing · Ada Quill · Ben Tarn · Cleo Wick · Dora Finch · Eli Stook · Flo Harrow
    Gus Penn · Ida Marl · Jo Larch · Kit Bracken · Liv Solberg · Max Tuff · Nia Coombe
    Ole Strand · Pia Lindt · Rex Hollow · Sam Weir · Tess Orme · Uma Rill
"""
_CAST = tuple(name.strip() for line in _NAMES.strip().splitlines() for name in line.split("·"))


def names(count: int) -> list[str]:
    """`count` different names; past the end of the cast they begin anew with a number."""
    turns = range(1, 2 + count // len(_CAST))
    return [one if turn == 1 else f"{one} {turn}" for turn in turns for one in _CAST][:count]
