# ruff: noqa: E501 (tables: a row a language reads best)
"""The words that grounding must know by name: small closed classes, by language."""
# fmt: off

from __future__ import annotations

import re
from collections.abc import Iterable


def _words(rows: Iterable[str]) -> frozenset[str]:
    return frozenset(word for row in rows for word in row.split())


# --- Who: never names that a source must hold -------------------------------------------------
ROLES = _words((
    "user users user's assistant ai model bot chatbot system human customer client person speaker i me my mine we us our you your",
    "benutzer benutzerin nutzer nutzerin assistent assistentin ich",
    "utilisateur utilisatrice l'utilisateur l'utilisatrice je",
    "usuario usuaria usuário usuária utente yo eu io asistente assistente",
    "пользователь пользователя пользователю пользовательница ассистент я",
    "用户 使用者 助手 ユーザー アシスタント 사용자 사용자는 사용자의 사용자가 उपयोगकर्ता المستخدم المستخدمة",
))
KIN_GROUPS: tuple[frozenset[str], ...] = tuple(frozenset(row.split()) for row in (
    "mother mom mum mommy mama mutter mère maman madre mãe mamá mamma мама мать 妈妈 母亲 母 お母さん 엄마 어머니 माँ मां أمي والدة",
    "father dad daddy papa vater père padre pai papá papà папа отец 爸爸 父亲 父 お父さん 아빠 아버지 पिता أبي والد",
    "sister sis schwester sœur soeur hermana irmã sorella сестра 姐姐 妹妹 姉 妹 언니 누나 여동생 बहन أختي أخت",
    "brother bro bruder frère hermano irmão fratello брат 哥哥 弟弟 兄 弟 오빠 형 남동생 भाई أخي أخ",
    "wife frau ehefrau épouse femme esposa mujer mulher moglie жена 妻子 老婆 妻 아내 पत्नी زوجتي زوجة",
    "husband mann ehemann mari esposo marido marito муж 丈夫 老公 夫 남편 पति زوجي زوج",
    "son sohn fils hijo filho figlio сын 儿子 息子 아들 बेटा ابني ابن",
    "daughter tochter fille hija filha figlia дочь 女儿 娘 딸 बेटी ابنتي ابنة",
    "friend buddy freund freundin ami amie amigo amiga amico amica друг подруга 朋友 友達 친구 दोस्त صديقي صديق",
    "partner boyfriend girlfriend fiancé fiancée fiance fiancee spouse novio novia namorado namorada fidanzato fidanzata парень девушка 男朋友 女朋友 彼氏 彼女 남자친구 여자친구",
    "boss manager chef jefe chefe capo начальник 老板 上司 상사 बॉस مديري مدير",
    "colleague coworker kollege kollegin collègue colega collega коллега 同事 同僚 동료 सहकर्मी زميلي زميل",
    "roommate flatmate mitbewohner mitbewohnerin colocataire compañero сосед 室友 ルームメイト 룸메이트",
    "grandmother grandma granny nana oma großmutter grand-mère mamie abuela avó nonna бабушка 奶奶 外婆 祖母 할머니 दादी نانی جدتي",
    "grandfather grandpa opa großvater grand-père papi abuelo avô nonno дедушка 爷爷 外公 祖父 할아버지 दादा جدي",
    "aunt tante tía tia zia тётя тетя 阿姨 叔母 이모 고모", "uncle onkel oncle tío tio zio дядя 叔叔 叔父 삼촌",
    "cousin cousine primo prima cugino cugina кузен 表哥 表姐 いとこ 사촌", "nephew neffe neveu sobrino sobrinho nipote", "niece nichte nièce sobrina sobrinha",
    "neighbour neighbor nachbar nachbarin voisin voisine vecino vecina vizinho vizinha vicino vicina 邻居 隣人 이웃",
    "dog puppy hund chien chienne perro perra cachorro cão cane собака пёс 狗 犬 강아지 개 कुत्ता كلبي كلب",
    "cat kitten katze kater chatte gato gata gatto gatta кошка кот 猫 고양이 बिल्ली قطتي قطة",
))
KIN: dict[str, int] = {word: number for number, row in enumerate(KIN_GROUPS) for word in row}

# --- Numbers in words -------------------------------------------------------------------------
_UNITS = (
    "zero null cero ноль 영 शून्य صفر",
    "",  # one: nearly everywhere also an article or a pronoun
    "two twice zwei deux dos dois duas due два две двух 二 两 兩 두 둘 दो اثنان اثنين",
    "three drei trois tres três tre три трех трёх 三 세 셋 तीन ثلاثة ثلاث",
    "four vier quatre cuatro quatro quattro четыре четырех 四 네 넷 चार أربعة أربع",
    "five fünf cinq cinco cinque пять пяти 五 다섯 पांच पाँच خمسة خمس",
    "six sechs seis sei шесть 六 여섯 छह ستة ست",
    "seven sieben sept siete sete sette семь 七 일곱 सात سبعة سبع",
    "eight acht huit ocho oito otto восемь 八 여덟 आठ ثمانية ثماني",
    "nine neun neuf nueve nove девять 九 아홉 नौ تسعة تسع",
    "ten zehn dix diez dez dieci десять 十 열 दस عشرة عشر",
    "eleven elf onze once undici одиннадцать 十一 열한 ग्यारह",
    "twelve dozen zwölf douze doce doze dodici двенадцать 十二 열두 बारह",
    "thirteen dreizehn treize trece treze tredici тринадцать 十三", "fourteen vierzehn quatorze catorce quattordici четырнадцать 十四",
    "fifteen fünfzehn quinze quince quindici пятнадцать 十五 पंद्रह", "sixteen sechzehn seize dieciséis dezesseis sedici шестнадцать 十六",
    "seventeen siebzehn diecisiete dezessete diciassette семнадцать 十七", "eighteen achtzehn dieciocho dezoito diciotto восемнадцать 十八",
    "nineteen neunzehn diecinueve dezenove diciannove девятнадцать 十九", "twenty zwanzig vingt veinte vinte venti двадцать 二十 스무 스물 बीस عشرون عشرين",
)
NUMBER_WORDS: dict[str, int] = {word: number for number, row in enumerate(_UNITS) for word in row.split()}
for _value, _row in (
    (30, "thirty dreißig trente treinta trinta trenta тридцать 三十 तीस ثلاثون"), (40, "forty vierzig quarante cuarenta quarenta quaranta сорок 四十"),
    (50, "fifty fünfzig cinquante cincuenta cinquenta cinquanta пятьдесят 五十 पचास خمسون"), (60, "sixty sechzig soixante sesenta sessenta sessanta шестьдесят 六十"),
    (70, "seventy siebzig setenta settanta семьдесят 七十"), (80, "eighty achtzig ochenta oitenta ottanta восемьдесят 八十"),
    (90, "ninety neunzig noventa novanta девяносто 九十"), (100, "hundred hundert cent cien cem cento сто 百 백 सौ مئة مائة"),
    (1000, "thousand tausend mille mil тысяча 千 천 हज़ार ألف"), (1_000_000, "million millón milhão milione миллион"),
):
    NUMBER_WORDS.update(dict.fromkeys(_row.split(), _value))
# Words that also mean something else ("sei": you are; "nove", "sept" ...): read in a source, never claimed.
NUMBER_WORDS_ALSO_ELSE = frozenset("sei null due once twice dozen cent mille mil sept die elf acht tre seize ست ثلاث दो सात नौ 세 네 두 개 십 백 천 열 영 百 千 十 二 三 四 五 六 七 八 九 hundred thousand million".split())
ONES = _words(("a an one once single ein eine einem einen einer un une una uno um uma один одна одну 하나 한 일주일 일일 एक واحد",))
ORDINALS: dict[str, int] = {word: number for number, row in enumerate((
    "", "first erste erster erstes premier première primero primera primeiro primeira primo prima первый первая",
    "second zweite zweiter deuxième segundo segunda secondo seconda второй вторая", "third dritte dritter troisième tercero tercera terceiro terceira terzo terza третий третья",
    "fourth vierte quatrième cuarto quarto quarta четвертый", "fifth fünfte cinquième quinto quinta пятый", "sixth sechste sixième sexto шестой",
    "seventh siebte septième séptimo седьмой", "eighth achte huitième octavo восьмой", "ninth neunte neuvième noveno девятый", "tenth zehnte dixième décimo десятый",
)) for word in row.split()}

# --- Negation ---------------------------------------------------------------------------------
# Words after which (spaced languages with the negation first) the clause is denied.
NEGATORS = _words((
    "not no never none nothing nobody neither nor cannot cant dont doesnt didnt wont isnt arent wasnt hasnt havent wouldnt shouldnt couldnt",
    "ne n pas jamais aucun aucune rien non nunca jamás ningún ninguna ningun nada tampoco não nem nenhum nenhuma mai nessuno nessuna niente nulla",
    "не нет никогда нельзя ни", "لا لم لن ليس ليست لست غير أبدا أبداً ما",
))
# Words that deny what stands on either side of them in the clause.
NEGATORS_AROUND = _words(("nicht kein keine keinen keinem keiner nie niemals nichts", "नहीं मत कभी"))
# Negation inside words, of scripts that do not set it apart.
DENSE_NEGATION = re.compile(
    r"不(?!过|過|但|同|仅|僅|错|錯|断|斷)|没有?|沒有?|别(?!的|人)|未(?!来|來)|无法|無法|从不|從不|ない(?!と(?:いけ|なら))|ません|なかった|ずに|ぬ(?:。|$)"
    r"|지\s?(?:않|못|마|말)|(?<![가-힣])안\s(?=[가-힣])|(?<![가-힣])못\s?(?=[가-힣])|없(?!이\s도)|아니(?:다|에|야|며|고|라|었|ㅂ)|아닙"
)
# What denies without a negator: to end, lack, refuse, or set one thing above another.
DENYING = _words((
    "without avoid avoids avoiding avoided stop stops stopped stopping quit quits cease ceased lack lacks lacking refuse refuses refused refusing reject rejects rejected rejecting exclude excludes excluded excluding skip skips skipped skipping instead rather unable hate hates hated hating dislike dislikes disliked disliking hardly barely rarely seldom former formerly anymore fail fails failed failing failure removed nah nope t unlike eliminate eliminating impossible unavailable unknown missing",
    "ohne vermeidet vermeide aufgehört statt anstatt hasst hasse weder",
    "sans évite arrêté arrête plus déteste plutôt sin evita dejó dejado odia ya sem evita parou parei odeia senza smesso odia più",
    "без перестал перестала бросил бросила ненавидит ненавижу больше вместо избегает",
    "بدون توقف أكره يكره بلا",
    "बिना छोड़ नफरत",
))
# Groups of words that say the opposite of each other: to assert one side denies the other.
ANTONYMS: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, other in (
        ("like likes liked love loves loved enjoy enjoys enjoyed adore adores fond", "dislike dislikes disliked hate hates hated detest detests despise loathe loathes"),
        ("start starts started begin begins began begun resume resumed", "stop stops stopped quit quits ended cease ceased"),
        ("accept accepts accepted agree agrees agreed approve approved", "reject rejects rejected refuse refuses refused decline declined disagree disagrees"),
        ("remember remembers remembered", "forget forgets forgot forgotten"),
        ("married", "divorced unmarried single"), ("employed", "unemployed"), ("possible", "impossible"), ("able", "unable"),
        ("always", "never"), ("include includes included", "exclude excludes excluded omit omits omitted"),
        ("mag liebt liebe mögen gern gerne", "hasst hasse hassen"), ("aime aimes adore adores", "déteste détestes hais"),
        ("gusta gustan encanta encantan ama amo", "odia odio odian detesta detesto"), ("gosta gosto adora adoro ama amo", "odeia odeio detesta detesto"),
        ("piace piacciono ama amo adora adoro", "odia odio detesta detesto"), ("люблю любит нравится обожаю обожает", "ненавижу ненавидит терпеть"),
        ("喜欢 喜歡 热爱", "讨厌 討厭 恨"), ("好き 大好き", "嫌い 大嫌い 苦手"), ("좋아 사랑", "싫어 미워"), ("पसंद प्यार", "नफ़रत नफरत नापसंद"), ("أحب يحب تحب", "أكره يكره تكره"),
    )
)

# --- Words of the telling, not of the told ----------------------------------------------------
FRAME = _words((
    "user users assistant ai say says said state states stated mention mentions mentioned tell tells told report reports reported express expresses expressed indicate indicates indicated note notes noted confirm confirms confirmed ask asks asked request requests requested requesting provide provides provided specific specifically explicitly including include includes also currently current related regarding using used use uses via based upon their they them his her he she it its who which that these this those like such as eg ie etc will would may can could should shall is are was were be been being has have had having does do did done doing",
    "sagt sagte erwähnt benutzer nutzer dit mentionne utilisateur dice dijo menciona usuario diz disse usuário utente говорит сказал сказала пользователь",
    "用户 说 说过 表示 提到 ユーザー 言った 사용자 말했다 उपयोगकर्ता कहा المستخدم قال قالت",
))
# Words by which one sums up what was said: what they stand for was rarely said in these words.
TELLING = _words((
    "proposed proposes proposal propose prefers prefer preference preferences preferred chosen chose chooses choose involves involving involve approved approves approval accepted accepts agreed agrees agreement committed commits commitment expects expected expectation values valued prioritizes prioritizing prioritized prioritises emphasizes emphasizing emphasized awaiting awaits established establishes defined defines detailed details detailing identified identifies plans planned planning plan intends intended intention decided decides decision wants wanted want needs needed need requires required requirement willing interested interest interests aware awareness suggested suggests suggestion provided providing provides completed ongoing primary primarily initial initially immediate immediately actively existing previously previous key main overall significant significantly particularly approach aims aim aiming seeks seeking finds find considers considered believes believe feels feel views viewed maintains maintain focuses focused focusing focus desires desire appreciates appreciated dislikes experiences experiencing experienced recognizes acknowledges acknowledged understands understood describes described discusses discussed presented presents delivered contains contain consists consisting comprises features covering covers covered addressing ensuring ensure allowing enabling aligned aligns based due goal goals purpose reason reasons causing resulting leads related regarding concerning various certain several multiple following next upcoming future status task tasks step action motivation explanation style method strong tangible part within as updates updated update set sets setting adopting adopted adjusting adjusted implementing building going forward rather reports reported shares shared willingness inclined tends usually generally often working located reach reaches affected affecting contributes contributing additional developing develop area concern concerns concerned unable name named called names city profession occupation job location residence age hobby hobbies background skill",
    "bevorzugt möchte plant hat beschlossen interessiert préfère souhaite veut prévoit intéressé prefiere quiere planea desea interesado prefere deseja planeja preferisce desidera vuole предпочитает хочет планирует интересуется",
    "偏好 计划 打算 希望 好み 予定 希望 선호 계획 원한 결정 예정 사용 대한 위해 통해 대해 있다 것이 한다",
))
# Everyday words for the same thing that the word vectors do not bring together.
SAME_GROUPS: tuple[frozenset[str], ...] = tuple(frozenset(row.split()) for row in (
    "live lives lived living reside resides resided residing home", "work works working worked employed employee employer job",
    "like likes liked love loves loved enjoy enjoys enjoyed fond favourite favorite adore adores prefer prefers", "kid kids child children",
    "dislike dislikes hate hates detest detests", "buy buys bought purchase purchased", "move moves moved relocate relocated",
    "own owns owned have has got", "meet meets met meeting", "doctor physician gp", "film movie", "flat apartment", "car vehicle",
    "born birthday birth", "marry married wedding husband wife spouse", "study studies studying studied student degree", "allergic allergy allergies",
))
SAME: dict[str, int] = {word: number for number, row in enumerate(SAME_GROUPS) for word in row}
# Ordinary words that are given names as well: with a capital inside a sentence, names.
NAMES_THAT_ARE_WORDS = _words((
    "mark rose grace hope faith joy will bill jack frank rob pat art dean drew chase hunter mason carter cooper parker taylor summer autumn april may june august dawn eve iris ivy jade lily olive pearl ruby sandy victor amber angel christian crystal daisy earl gene grant guy harry jean jerry jimmy lance max miles nick norman peter ray rich robin rusty sterling sue terry tony ward",
))
# How a person gives a name as their own; what follows is it.
OWN_NAME = re.compile(
    r"(?:\b(?:my (?:full |first |last |real )?name(?:'s| is|:)|i'm|i am|im|call me|this is|it's me,?|name:|(?:i )?go by|signed,?|regards,?|cheers,?|mi nombre es|me llamo|ich hei(?:ß|ss)e|mein name ist|ich bin|je m'appelle|mon nom est|je suis|moi c'est|soy|me chamo|chamo-me|meu nome é|(?:eu )?sou|mi chiamo|il mio nome è|(?:io )?sono)"
    r"|меня зовут|мо[её] имя|我叫做?|我的名字(?:是|叫)|我是|(?:私|僕|俺|わたし|ぼく)の名前は|(?:私|僕|俺)は|(?:제|내|저의) 이름은|저는|나는|मेरा नाम|मैं|(?:أنا )?اسمي(?: هو)?|أنا)\s*",
    re.IGNORECASE,
)
# How a statement says what a person is called; the group is whose name it is.
CLAIMED_NAME = re.compile(
    r"^(?:the )?(?:user|speaker)(?:'s|s')? (?:(?:full |first |last |real )?name is|is (?:named|called)|goes by)(?: the name)?(?: of)? (?P<a>.+)"
    r"|^(?P<b>.+?) is the (?:user|speaker)(?:'s|s')? (?:full |first |last )?name\b"
    r"|^(?:my|user) name is (?P<c>.+)"
    r"|^(?:der |die )?(?:be)?nutzer(?:in)?s? (?:hei(?:ß|ss)t|name ist) (?P<d>.+)|^der name des (?:be)?nutzers ist (?P<d2>.+)"
    r"|^l'utilisateur s'appelle (?P<e>.+)|^le nom de l'utilisateur est (?P<e2>.+)"
    r"|^(?:el |o )?(?:usuario|usuário) se (?:llama|chama) (?P<f>.+)|^el nombre del usuario es (?P<f2>.+)|^o nome do usuário é (?P<f3>.+)"
    r"|^l'utente si chiama (?P<g>.+)|^il nome dell'utente è (?P<g2>.+)|^пользователя зовут (?P<h>.+)|^имя пользователя (?:—|-|:)?\s*(?P<h2>.+)"
    r"|^用户(?:的名字|名)?(?:叫做?|是|为) ?(?P<i>.+)|^ユーザーの名前は(?P<j>.+?)(?:です|だ|である|。|$)|^사용자의? 이름은 (?P<k>.+?)(?:입니다|이다|이에요|예요|다|\.|$)"
    r"|^उपयोगकर्ता का नाम (?P<l>.+?) है|^اسم المستخدم(?: هو)? (?P<m>.+)",
    re.IGNORECASE,
)
