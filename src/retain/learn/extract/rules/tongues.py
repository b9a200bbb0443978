# ruff: noqa: E501 (a table: one pattern a line reads best)
"""The core facts in other languages, as tables of patterns.

In a pattern, ``{N}`` stands for a name with a capital, ``{T}`` for a thing up to the end of its
clause, ``{W}`` for one word; each becomes the value. What is read is kept as it was written.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language: what may open a clause, go on after it, and make it unreal; its patterns.

    ``patterns`` maps an attribute to patterns of it; an attribute with ``-`` before it takes the
    value back. ``trigger`` is a word without which no pattern can match.
    """

    trigger: str
    openers: str
    joins: str
    unreal: str
    pointing: str
    patterns: dict[str, tuple[str, ...]]


TONGUES: dict[str, Tongue] = {
    "de": Tongue(
        trigger=r"\b(?:ich|mein|meine|wir|mag)\b",
        openers=r"hallo|hi|ja|und|aber|also|übrigens|eigentlich|denn|guten tag|jetzt|nun|heute|inzwischen",
        joins=r"und|aber|weil|denn|sowie|seit|mit|seitdem|am liebsten|sehr|gerne?|nicht|noch|auch|jetzt|zu",
        unreal=r"wenn|falls|ob|sagte?|sagt|meinte?|stell dir|angenommen|würde|hätte|wäre|vielleicht|als ob|früher",
        pointing=r"es|das|dich|dir|sie|ihn|dies\w*|wie|wenn|dass|dein\w*|nicht|kein\w*|die idee\w*|zu|ihr|euch|frieden|angst|armut|harmonie|sorge|miete|hoffnung",
        patterns={
            "name": (r"mein name ist {N}", r"ich hei(?:ß|ss)e {N}"),
            "home": (r"(?:ich|wir) (?:wohne|lebe|wohnen|leben)(?: jetzt| derzeit| aktuell| seit \w+)? in {N}",
                     r"wohne(?: jetzt| derzeit| aktuell)? in {N}",
                     r"(?:ich|wir) (?:bin|sind)(?: (?!nicht\b|nie\b)\w+){0,4} nach {N} (?:ge|um)zogen"),
            "-home": (r"(?:ich|wir) (?:wohne|lebe|wohnen|leben) nicht mehr in {N}",),
            "employer": (r"ich arbeite(?: jetzt| derzeit)? (?:bei|für) {N}",),
            "-employer": (r"ich arbeite nicht mehr (?:bei|für) {N}",),
            "job": (r"ich arbeite(?: jetzt)? als {N}", r"ich bin {N}(?= von beruf)"),
            "likes": (r"ich (?:liebe|mag) (?!nicht|kein|es|das|dich){T}",),
            "dislikes": (r"ich (?:hasse|mag kein(?:e|en)?) {T}",),
            "allergy": (r"ich bin allergisch (?:gegen|auf) {T}", r"ich habe eine {W}allergie",
                        r"ich bin gegen {W} allergisch"),
            "diet": (r"ich bin {V}(?:vegetarier(?:in)?|veganer(?:in)?|vegan|vegetarisch)",),
            "pet": (r"mein(?:e)? (?:hund|katze|kater|hase|pferd) hei(?:ß|ss)t {N}",),
        },
    ),
    "es": Tongue(
        trigger=r"\b(?:me (?:gusta|encanta|llamo|mud|he mud)|mi|vivo|vivimos|soy|trabajo|tengo|odio|nos mud|nos hemos)",
        openers=r"hola|sí|y|pero|bueno|pues|además|por cierto|ahora|actualmente|porque|buenas",
        joins=r"y|pero|porque|desde|con|mucho|también|muchísimo|aunque|así que|que|donde|cuando|a la|a el",
        unreal=r"si|dice|dijo|dicen|ojalá|quizás?|tal vez|imagina|supongamos|cuando|antes|como si",
        pointing=r"que|cómo|tu|tus|eso|esto|ese|esa|este|esta|lo|cuando|la idea|te|le|les|el hecho",
        patterns={
            "name": (r"me llamo {N}", r"mi nombre es {N}"),
            "home": (r"(?:yo )?(?:vivo|vivimos)(?: ahora| actualmente)? en {N}",
                     r"(?:me mudé|nos mudamos|me he mudado|nos hemos mudado) a {N}"),
            "-home": (r"ya no (?:vivo|vivimos) en {N}",),
            "employer": (r"(?:yo )?trabajo(?: ahora| actualmente)? (?:en|para) {N}",),
            "-employer": (r"ya no trabajo (?:en|para) {N}",),
            "job": (r"(?:yo )?trabajo (?:como|de) {T}",),
            "likes": (r"me (?:gusta|gustan|encanta|encantan) (?:mucho )?{T}",),
            "dislikes": (r"no me (?:gusta|gustan) (?:nada )?{T}", r"odio {T}"),
            "-likes": (r"ya no me (?:gusta|gustan) {T}",),
            "allergy": (r"(?:yo )?soy alérgic[oa] (?:a los|a las|a la|al|a) {T}", r"tengo alergia (?:a los|a las|a la|al|a) {T}"),
            "diet": (r"(?:yo )?soy {V}(?:vegetarian[oa]|vegan[oa]|celíac[oa])",),
            "pet": (r"mi (?:perr[oa]|gat[oa]|conejo|loro) se llama {N}",),
        },
    ),
    "fr": Tongue(
        trigger=r"\b(?:je|j'\w+|mon|ma|nous)\b",
        openers=r"bonjour|salut|oui|et|mais|alors|au fait|maintenant|actuellement|en fait|car|d'ailleurs",
        joins=r"et|mais|parce que|depuis|avec|beaucoup|aussi|car|donc|où|qui|quand|pour",
        unreal=r"si|dit|disait|peut-être|imagine|supposons|quand|avant|comme si",
        pointing=r"que|comment|ton|ta|tes|votre|vos|ça|cela|ce|cette|cet|ces|quand|l'idée|bien|te|vous|pas",
        patterns={
            "name": (r"je m'appelle {N}", r"mon nom est {N}"),
            "home": (r"(?:j'habite|je vis|nous habitons|nous vivons)(?: maintenant| actuellement)? (?:à|en|au|aux) {N}",
                     r"(?:j'ai déménagé|nous avons déménagé|je me suis installée?) (?:à|en|au) {N}"),
            "-home": (r"(?:je n'habite plus|je ne vis plus) (?:à|en|au|aux) {N}",),
            "employer": (r"je travaille(?: maintenant| actuellement)? (?:chez|pour) {N}",),
            "-employer": (r"je ne travaille plus (?:chez|pour) {N}",),
            "job": (r"je travaille comme {T}",),
            "likes": (r"j'(?:aime|adore) (?:beaucoup |bien )?{T}",),
            "dislikes": (r"je (?:déteste|n'aime pas) {T}",),
            "-likes": (r"je n'aime plus {T}",),
            "allergy": (r"je suis allergique (?:à la|à l'|aux|au|à) ?{T}",),
            "diet": (r"je suis {V}(?:végétarien(?:ne)?|végane?|vegan)",),
            "pet": (r"(?:mon chien|ma chienne|mon chat|ma chatte|mon lapin) s'appelle {N}",),
        },
    ),
    "pt": Tongue(
        trigger=r"\b(?:meu|minha|eu|moro|chamo|trabalho|sou|gosto|adoro|odeio|tenho|vivo|amo|detesto|mudei|nos mudamos)\b",
        openers=r"olá|oi|sim|e|mas|bom|aliás|agora|atualmente|então|porque|na verdade",
        joins=r"e|mas|porque|desde|com|muito|também|onde|que|quando|há",
        unreal=r"se|disse|diz|talvez|imagine|suponha|quando|antes|como se|tomara",
        pointing=r"que|como|seu|sua|isso|isto|esse|essa|este|esta|quando|da ideia|você|te|do seu|da sua|disso",
        patterns={
            "name": (r"(?:eu )?me chamo {N}", r"(?:o )?meu nome é {N}", r"chamo-me {N}"),
            "home": (r"(?:eu )?(?:moro|vivo)(?: agora| atualmente)? (?:em|no|na|nos) {N}",
                     r"(?:eu )?(?:me mudei|mudei-me|nos mudamos|mudei) para (?:o |a )?{N}"),
            "-home": (r"(?:eu )?(?:não (?:moro|vivo) mais|já não (?:moro|vivo)) (?:em|no|na) {N}",),
            "employer": (r"(?:eu )?trabalho(?: agora| atualmente)? (?:na|no|em|para a|para o|para) {N}",),
            "-employer": (r"(?:eu )?(?:não trabalho mais|já não trabalho) (?:na|no|em|para a|para o|para) {N}",),
            "job": (r"(?:eu )?trabalho como {T}",),
            "likes": (r"(?:eu )?(?:gosto (?:muito )?d[eoa]s?|adoro|amo) {T}",),
            "dislikes": (r"(?:eu )?(?:não gosto d[eoa]s?|odeio|detesto) {T}",),
            "-likes": (r"(?:eu )?já não gosto d[eoa]s? {T}",),
            "allergy": (r"(?:eu )?(?:sou alérgic[oa]|tenho alergia) (?:a|ao|à|aos|às) {T}",),
            "diet": (r"(?:eu )?sou {V}(?:vegetarian[oa]|vegan[oa])",),
            "pet": (r"(?:o meu|a minha|meu|minha) (?:cachorr[oa]|cão|cadela|gat[oa]) (?:se chama|chama-se) {N}",),
        },
    ),
    "it": Tongue(
        trigger=r"\b(?:mi|mio|mia|io|vivo|abito|lavoro|sono|amo|adoro|odio|ho|non)\b",
        openers=r"ciao|sì|e|ma|allora|comunque|ora|adesso|attualmente|poi|perché|salve|buongiorno",
        joins=r"e|ma|perché|da|con|molto|anche|dove|che|quando|tanto",
        unreal=r"se|dice|disse|ha detto|forse|immagina|supponiamo|quando|prima|come se|magari",
        pointing=r"che|come|tuo|tua|quello|questo|questa|quella|quando|l'idea|ti|il fatto|il tuo|la tua",
        patterns={
            "name": (r"(?:io )?mi chiamo {N}", r"il mio nome è {N}"),
            "home": (r"(?:io )?(?:vivo|abito)(?: ora| adesso)? (?:a|in|ad) {N}",
                     r"(?:mi sono trasferit[oa]|ci siamo trasferiti) (?:a|in|ad) {N}"),
            "-home": (r"(?:io )?non (?:vivo|abito) più (?:a|in|ad) {N}",),
            "employer": (r"(?:io )?lavoro(?: ora)? (?:presso|per|alla|da|in) {N}",),
            "-employer": (r"(?:io )?non lavoro più (?:presso|per|alla|da|in) {N}",),
            "job": (r"(?:io )?lavoro come {T}",),
            "likes": (r"mi (?:piace|piacciono) (?:molto )?{T}", r"(?:io )?(?:amo|adoro) {T}"),
            "dislikes": (r"non mi (?:piace|piacciono) {T}", r"(?:io )?(?:odio|detesto) {T}"),
            "-likes": (r"non mi (?:piace|piacciono) più {T}",),
            "allergy": (r"(?:io )?sono allergic[oa] (?:alle|agli|alla|allo|all'|ai|al|a) ?{T}",),
            "diet": (r"(?:io )?sono {V}(?:vegetarian[oa]|vegan[oa]|celiac[oa])",),
            "pet": (r"(?:il mio|la mia) (?:cane|gatt[oa]|coniglio) si chiama {N}",),
        },
    ),
    "ru": Tongue(
        trigger=r"(?<!\w)(?:я|меня|мо[йяюю]|мы|мне)(?!\w)",
        openers=r"привет|да|и|а|но|кстати|теперь|сейчас|вообще|потому что|здравствуйте",
        joins=r"и|но|а|потому|уже|с|больше|очень|тоже|где|который|которая|когда|так",
        unreal=r"если|бы|сказала?|говорит|говорят|может|представь|когда|раньше|будто|хотела?",
        pointing=r"это|эту|этот|тебя|вас|его|её|их|как|когда|что|твой|твою|твои|ваш|вашу|тебе|вам|то",
        patterns={
            "name": (r"меня зовут {N}", r"мо[её] имя {N}"),
            "home": (r"(?:я живу|мы жив[её]м)(?: сейчас| теперь)? в(?:о)? {N}",
                     r"(?:я переехала?|мы переехали) в(?:о)? {N}"),
            "-home": (r"(?:я больше не живу|мы больше не жив[её]м) в(?:о)? {N}",),
            "employer": (r"я работаю(?: сейчас| теперь)? (?:в|на) (?:компании )?[«\"]?{N}",),
            "-employer": (r"я больше не работаю (?:в|на) (?:компании )?[«\"]?{N}",),
            "likes": (r"я (?:очень )?(?:люблю|обожаю) {T}", r"мне (?:очень )?нрав(?:ится|ятся) {T}"),
            "dislikes": (r"я (?:не люблю|ненавижу) {T}", r"мне не нрав(?:ится|ятся) {T}"),
            "-likes": (r"я больше не люблю {T}",),
            "allergy": (r"у меня аллергия на {T}",),
            "diet": (r"я {V}(?:вегетарианец|вегетарианка|веган(?:ка)?)",),
            "pet": (r"(?:мою собаку|моего пса|мою кошку|моего кота) зовут {N}",),
        },
    ),
    "zh": Tongue(
        trigger="我", openers="你好|您好|嗨|对了|其实|现在|而且|但是|不过|所以|因为", joins="",
        unreal="如果|要是|假如|假设|也许|可能|想象|他说|她说|他们说|曾经|以前|是不是|希望|梦见|扮演",
        pointing="你|您|这|那|它|他|她|什么|怎么|看到|听到|的",
        patterns={
            "name": ("我(?:的名字)?(?:叫做|叫|的名字是){K}", "我的名字是{K}"),
            "home": ("我(?:们)?(?:现在|目前)?住在{K}", "我(?:们)?(?:刚|已经)?搬(?:家)?到了?{K}"),
            "-home": ("我(?:们)?(?:已经)?不(?:再)?住在{K}(?=了|[，。！,.!]|$)",),
            "employer": ("我(?:现在|目前)?在{K}(?=工作|上班|任职)",),
            "-employer": ("我(?:已经)?不(?:再)?在{K}(?=工作|上班)",),
            "likes": ("我(?:最|很|非常|特别)?(?:喜欢|热爱){K}",),
            "dislikes": ("我(?:很|最|一点都|真的)?(?:不喜欢|讨厌){K}",),
            "-likes": ("我(?:已经)?不再喜欢{K}",),
            "allergy": ("我对{K}(?=过敏)",),
            "diet": ("我(?:现在)?是(?P<v>素食者|素食主义者|纯素食者)",),
            "pet": ("我(?:家)?(?:的)?(?:狗|猫|小狗|小猫|狗狗|猫咪)(?:的名字)?叫{K}",),
        },
    ),
    "ja": Tongue(
        trigger="私|僕|俺|わたし|ぼく|名前|申します|住んで|働いて|好き|嫌い|アレルギー|引っ越",
        openers="こんにちは|はじめまして|初めまして|実は|今|はい|いいえ|ちなみに|そして|でも|最近", joins="",
        unreal="もし|たら|なら|と言|って言|かもしれ|だろう|でしょう|彼|彼女|友達|友人|昔|頃|たい|夢|さん",
        pointing="あなた|それ|これ|あれ|何|どこ|君|こと|その|この|あの",
        patterns={
            "name": ("(?:私|僕|俺|わたし)の名前は{K}(?=です|だ|といいます|と申します)",
                     "(?:私は|僕は)?{K}(?=と申します|といいます)"),
            "home": ("(?:(?:私|僕|俺|わたし)は)?(?:今|現在)?{K}(?=に住んでいます|に住んでる|に住んでいる)",
                     "(?:(?:私|僕|俺|わたし)は)?{K}(?=に引っ越しました|に引っ越した|へ引っ越しました)"),
            "-home": ("(?:(?:私|僕|俺|わたし)は)?(?:もう)?{K}(?=には?(?:もう)?住んでいません)",),
            "employer": ("(?:(?:私|僕|俺|わたし)は)?(?:今|現在)?{K}(?=で働いています|で働いている|に勤めています)",),
            "likes": ("(?:(?:私|僕|俺|わたし)は)?{K}(?=が(?:とても|大)?好きです|が(?:大)?好き(?:。|！|$)|が好きだ)",),
            "dislikes": ("(?:(?:私|僕|俺|わたし)は)?{K}(?=が(?:大)?嫌いです|が(?:大)?嫌いだ|が(?:大)?嫌い(?:。|！|$)|が苦手です)",),
            "allergy": ("(?:(?:私|僕|俺|わたし)は)?{K}(?=アレルギーです|アレルギーがあります|アレルギーがある)",),
            "diet": ("(?:私は|僕は)(?P<v>ベジタリアン|ヴィーガン|菜食主義者)(?=です|だ)",),
            "pet": ("(?:(?:私|うち|僕)の)?(?:犬|猫|愛犬|愛猫)の名前は{K}(?=です|だ|といいます)",),
        },
    ),
    "ko": Tongue(
        trigger="저는|제|나는|내|저|우리",
        openers="안녕하세요|안녕|네|아니요|그리고|그런데|사실|지금", joins="",
        unreal="만약|라면|면 좋|다고 했|라고 했|것 같|아마|싶|옛날|예전|씨가|그는|그녀",
        pointing="당신|그것|이것|무엇|어디|너를|너|그게|이게",
        patterns={
            "name": ("(?:제|내|저의) 이름은 {K}(?=입니다|이에요|예요|이야|야|이다)", "저는 {K}(?=(?:이)?라고 합니다|(?:이)?라고 해요)"),
            "home": ("(?:저는|나는|우리는)(?: 지금| 현재)? {K}(?=에 ?(?:살아요|살고 있|삽니다|산다|살아))",
                     "(?:저는|나는|우리는)(?: 최근에)? {K}(?=(?:으)?로 이사)"),
            "-home": ("(?:저는|나는) (?:이제 )?(?:더 이상 )?{K}(?=에 ?살지 않)",),
            "employer": ("(?:저는|나는)(?: 지금| 현재)? {K}(?=에서 (?:일해요|일하고 있|일합니다|근무))",),
            "likes": ("(?:저는|나는) (?:정말 |매우 )?{K}(?=[을를] ?(?:정말 |매우 |아주 )?(?:좋아해요|좋아합니다|좋아해|사랑해요))",),
            "dislikes": ("(?:저는|나는) {K}(?=[을를] ?(?:싫어해요|싫어합니다|싫어해|안 좋아해요|좋아하지 않))",),
            "allergy": ("(?:저는|나는) {K}(?= ?알레르기가 있)",),
            "diet": ("(?:저는|나는) (?P<v>채식주의자|비건)(?=입니다|예요|이에요|야)",),
            "pet": ("(?:제|우리|내) (?:강아지|고양이|개) 이름은 {K}(?=입니다|이에요|예요|이야|야)",),
        },
    ),
    "hi": Tongue(
        trigger="मैं|मेरा|मेरी|मेरे|मुझे|हम",
        openers="नमस्ते|हाँ|हां|और|लेकिन|वैसे|अब", joins="",
        unreal="अगर|यदि|शायद|काश|कहा|कहता|कहती|मान लो|पहले|क्या|सपना",
        pointing="यह|वह|ये|वो|तुम|आप|क्या|कैसे|आपका|तुम्हारा|आपकी",
        patterns={
            "name": ("मेरा नाम {K}(?= है)",),
            "home": ("(?:मैं|हम) (?:अब |अभी )?{K}(?= में रहत(?:ा|ी|े) (?:हूँ|हूं|हैं))",),
            "-home": ("(?:मैं|हम) अब {K}(?= में नहीं रहत(?:ा|ी|े))",),
            "employer": ("मैं (?:अब )?{K}(?= में (?:काम|नौकरी) करत(?:ा|ी) (?:हूँ|हूं))",),
            "likes": ("मुझे {K}(?= (?:बहुत )?पसंद (?:है|हैं))",),
            "dislikes": ("मुझे {K}(?= (?:बिल्कुल )?पसंद नहीं)",),
            "allergy": ("मुझे {K}(?= से एलर्जी(?: है)?)",),
            "diet": ("मैं (?P<v>शाकाहारी|वीगन)(?= (?:हूँ|हूं))",),
            "pet": ("मेरे (?:कुत्ते|बिल्ले|पालतू) का नाम {K}(?= है)", "मेरी बिल्ली का नाम {K}(?= है)"),
        },
    ),
    "ar": Tongue(
        trigger="اسمي|أعيش|أسكن|أعمل|أحب|أكره|لدي|عندي|انتقلت|أنا|كلبي|قطتي|كلبتي",
        openers="مرحبا|مرحبًا|السلام عليكم|نعم|لكن|الآن|أهلا|أنا", joins="منذ|مع|لكن|لأن|كثيرا|كثيرًا|جدا|جدًا|وأنا|و",
        unreal="لو|إذا|ربما|قال|قالت|يقول|تخيل|كنت|ليت|هل|كان",
        pointing="هذا|هذه|ذلك|أن|ما|كيف|ك|عندما|تلك",
        patterns={
            "name": ("(?:أنا )?اسمي (?:هو )?{K}",),
            "home": ("(?:أنا )?(?:أعيش|أسكن)(?: الآن| حاليا| حاليًا)? في {K}", "انتقلت (?:مؤخرا |مؤخرًا )?إلى {K}"),
            "-home": ("لم أعد (?:أعيش|أسكن) في {K}",),
            "employer": ("(?:أنا )?أعمل (?:الآن )?(?:في|لدى) (?:شركة )?{K}",),
            "-employer": ("لم أعد أعمل (?:في|لدى) (?:شركة )?{K}",),
            "likes": ("(?:أنا )?أحب {K}",),
            "dislikes": ("(?:أنا )?(?:أكره|لا أحب) {K}",),
            "-likes": ("لم أعد أحب {K}",),
            "allergy": ("(?:لدي|عندي) حساسية (?:من|تجاه|ضد) {K}",),
            "diet": ("أنا (?P<v>نباتي|نباتية)",),
            "pet": ("(?:كلبي|قطتي|كلبتي) (?:اسمه|اسمها) {K}", "اسم (?:كلبي|قطتي) (?:هو )?{K}"),
        },
    ),
}  # fmt: skip
