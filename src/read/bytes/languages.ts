/**
 * Frequency of non-ASCII letters in the languages of shops, in parts of a thousand of all such letters. Rough: it only
 * decides which encoding turns the bytes into words.
 */
export interface Language {
  readonly letters: ReadonlyMap<string, number>;
  /** Probability of the language among files in its encodings, in percent. */
  readonly share: number;
}

/** Upper limit of a frequency. Without it, one repeated letter would identify a language that has few other letters. */
const MOST = 0.12;

/**
 * Parses `'é500 è100'`: letters with their parts of a thousand. `à$` is one at the end of a word, `^è` one at its
 * beginning, `õe` one before another letter. Such an entry takes precedence at that place.
 */
function language(share: number, letters: string): Language {
  const entries = letters.split(' ').map((each): [string, number] => {
    const [, place = '', parts] = /^(\D+)([\d.]+)$/.exec(each) ?? [];
    return [place, Math.min(MOST, Number(parts) / 1000)];
  });
  return { share, letters: new Map(entries) };
}

const WESTERN = [
  // English, with words and names of other languages.
  language(40, 'é500 ñ100 ü80 ö80 è$1 ^è1 è60 ç60 á40 í30 ó30 ê20 ä20 ø10 å10'),
  language(
    30,
    'é480 è110 è$1 ^è1 èa1 èe1 èi1 èo1 èu1 à$130 à3 ê70 ç40 ô40 û20 î25 â25 ù$15 ù1 ë10 ï10 œ10 æ2 ÿ1',
  ),
  language(25, 'ä260 ö180 ü370 ß150 é10'),
  language(15, 'ó260 í250 á190 é120 ñ110 ú60 ü10'),
  language(10, 'è$290 è10 à$300 à4 ù$120 ù3 ò$130 ò5 ì$90 ì3 é$70 é5 î2'),
  language(10, 'ã240 ç190 á130 é110 í80 ó80 õe50 õ1 ê60 ú30 à40 â30 ô30 ü3'),
  language(8, 'å280 ä370 ö330 é20'),
  language(8, 'å300 ø400 æ290 é10'),
  language(5, 'ä800 ö190 å10'),
  language(5, 'ë400 é300 ï150 ö60 ü40 è40 ê10'),
  language(3, 'à220 é180 è150 í110 ó190 ò60 ú40 ç30 ï15 ü5'),
  language(3, 'á150 ð160 í160 þ60 ó90 é70 ö90 ú70 ý40 æ90'),
];

const CENTRAL = [
  language(30, 'ł230 ą130 ę130 ó130 ż130 ż$10 ś90 ć60 ń40 ź20'),
  language(25, 'í190 á180 é110 ě100 š70 č80 ř90 ž80 ý80 ů50 ú20 ň10 ť10 ď5 ó5'),
  language(15, 'á300 é280 ö110 ő80 ó90 ü60 í60 ú30 ű20'),
  language(8, 'á210 í130 é100 ý100 ú90 š90 č120 ž90 ľ40 ť60 ň20 ô20 ä10 ď15 ĺ2 ŕ2'),
  language(8, 'ă330 î180 ţ200 ş220 â70'),
  language(8, 'š260 č330 ž200 ć170 đ60'),
];

const BALTIC = [
  language(10, 'ė170 š150 ų150 ž100 ą90 į70 č50 ū60 ę30'),
  language(8, 'ā330 ī150 ē140 ū70 š100 ņ60 ģ20 ķ30 ļ50 ž50 č20'),
  language(8, 'ä400 õ250 ö100 ü230 š10 ž5'),
];

const TURKISH = [language(15, 'ı370 ş130 ğ90 ü160 ö80 ç100 â5 î2')];

const CYRILLIC = [
  language(
    50,
    'о110 е85 а80 и74 н67 т63 с55 р47 в45 л43 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з16 б16 ч14 й12 х10 ж9 ш7 ю6 ц5 щ4 э3 ф3 ё3 ъ1',
  ),
  language(
    10,
    'о94 а72 н65 и61 і57 т55 в53 р47 е46 с41 к38 л35 у34 д31 м31 п29 я25 з22 ь18 г16 б15 ч14 й12 х12 ц8 ю8 є6 ї6 ж7 ш7 щ4 ф3 ґ1',
  ),
];

const GREEK = [
  language(
    30,
    'α115 ο95 ι90 ε80 τ80 σ50 σ$1 ν65 η55 υ44 ρ43 π42 κ41 μ34 λ33 ς$40 ς1 ω20 γ18 δ17 χ12 θ11 φ8 β7 ξ5 ζ4 ψ2 ά22 έ20 ή18 ί30 ό22 ύ10 ώ15 ϊ1 ΐ1',
  ),
];

const HEBREW = [
  language(
    15,
    'י110 ו100 ה90 ל80 א70 ר65 ת60 ב55 ש50 מ55 מ$1 ם$30 ם1 נ40 נ$1 ן$20 ן1 ע35 ד30 ק25 ח30 פ20 ף$3 כ25 ך$8 ך1 ט15 ג15 ס18 ז10 צ12 ץ$3',
  ),
];

const ARABIC = [
  language(
    25,
    'ا130 ل110 ي70 م65 و60 ن60 ر50 ت50 ب40 ة$40 ة1 ع35 د35 س30 ف28 ه30 ك25 ق25 أ20 ح22 ج15 ش12 ص12 ط12 خ10 ذ8 ى$10 ى1 ض8 ث7 إ8 ئ4 ز7 ظ3 غ5 ء4 آ2 ؤ2',
  ),
];

function rarer(languages: readonly Language[], times: number): Language[] {
  return languages.map((each) => ({ ...each, share: each.share / times }));
}

/** Single-byte encodings with their languages. If several decode the bytes to the same text, the first counts. */
export const SINGLE_BYTE: readonly (readonly [encoding: string, languages: readonly Language[]])[] = [
  ['windows-1252', WESTERN],
  ['ISO-8859-15', rarer(WESTERN, 2)],
  ['windows-1250', rarer(CENTRAL, 3)],
  ['ISO-8859-2', rarer(CENTRAL, 6)],
  ['windows-1254', rarer(TURKISH, 2)],
  ['windows-1257', rarer(BALTIC, 5)],
  ['windows-1251', rarer(CYRILLIC, 5)],
  ['KOI8-R', rarer(CYRILLIC, 25)],
  ['ISO-8859-5', rarer(CYRILLIC, 100)],
  ['windows-1253', rarer(GREEK, 5)],
  ['ISO-8859-7', rarer(GREEK, 15)],
  ['windows-1255', rarer(HEBREW, 5)],
  ['windows-1256', rarer(ARABIC, 5)],
];

/** The letters of a language in a multi-byte encoding. */
export interface ManyLetters {
  readonly encoding: string;
  /** Range of the first bytes of common letters. */
  readonly everyday: readonly [first: number, last: number];
  readonly common: ReadonlySet<string>;
  readonly hasKana?: true;
  readonly hasHangul?: true;
}

const KANJI =
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公持野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副算視条幹独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落欧担好退準賞訴辺造英被株頭技低毎医復仕去姿味負閣韓渡失移差衆個門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達緑綿半袖在庫茶碗箸色袋箱布';
const HANZI =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔红黑绿蓝价称杯瓷衬衫棉纯不锈钢勺餐具玩童款男女装包邮件套';
const TRADITIONAL =
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指商品價格稱庫存顏色尺寸綠紅黑藍白';
const HANGUL =
  '이다는의에가을를은한고하지도로사기어나리인서자시대것스들으아해일제그부정보전상여수들주면게라장원공조용동국성구위만소신우선연유경과안관마비있했였습니물세품색트남녀생가격이름의류아동린난감락셔츠면녹테레숟';

export const MULTI_BYTE: readonly ManyLetters[] = [
  { encoding: 'Shift_JIS', everyday: [0x88, 0x97], common: new Set(KANJI), hasKana: true },
  { encoding: 'EUC-JP', everyday: [0xb0, 0xcf], common: new Set(KANJI), hasKana: true },
  { encoding: 'GB18030', everyday: [0xb0, 0xd7], common: new Set(HANZI) },
  { encoding: 'Big5', everyday: [0xa4, 0xc6], common: new Set(TRADITIONAL) },
  { encoding: 'EUC-KR', everyday: [0xb0, 0xc8], common: new Set(HANGUL), hasHangul: true },
];
