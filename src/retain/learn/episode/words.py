"""The words by which rules tell what an account is about and how it went.

English has the most; the other languages a core.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from retain.analysis.cue_words import pattern

DOMAINS: Final[Mapping[str, re.Pattern[str]]] = {
    "coding": pattern(
        "code|coding|bug|bugs|debug*|function|functions|compile*|deploy*|refactor*|"
        "repository|commit|merge|branch|pull request|unit test|tests|pytest|stack trace|"
        "traceback|exception|api|sql|database|query|python|javascript|typescript|rust|java|"
        "docker|kubernetes|server|migration|null pointer|regex|script|programm*|código|"
        "fehler im code|코드|버그|代码|程序|バグ|コード"
    ),
    "writing": pattern(
        "write|writing|wrote|draft*|essay|article|blog|paragraph|headline|proofread*|copy|"
        "tone|newsletter|report text|rewrite|rewrote|edit the text|schreiben|geschrieben|"
        "escribir|escribió|rédig*|写作|文章|글쓰기|원고|執筆"
    ),
    "research": pattern(
        "research*|look up|looked up|search for|searched|sources|paper|papers|study|"
        "studies|literature|compare options|find out|investigat*|recherch*|investigó|"
        "investigación|调查|研究|조사|調査"
    ),
    "planning": pattern(
        "plan|plans|planned|planning|schedule*|roadmap|deadline|milestone*|itinerary|book|"
        "booked|booking|trip|flight|hotel|calendar|appointment|agenda|organis*|organiz*|"
        "geplant|planen|reise|planific*|viaje|reserva*|计划|预订|계획|예약|予定|予約"
    ),
    "analysis": pattern(
        "analys*|analyz*|data|dataset|spreadsheet|chart|metric*|statistic*|forecast*|"
        "calculate*|trend*|invoice|invoices|billing|refund|budget|accounts|revenue|"
        "auswert*|rechnung*|factura*|análisis|分析|数据|발표|분석|請求"
    ),
    "communication": pattern(
        "email|emails|e-mail|message to|reply|replied|call with|called|meeting|customer|"
        "client|complain*|apolog*|negotiat*|slack|besprech*|kunde|kundin|cliente|correo|"
        "会议|客户|회의|고객|会議|顧客"
    ),
}

EMOTIONS: Final[Mapping[str, re.Pattern[str]]] = {
    "urgent": pattern(
        "urgent*|asap|immediately|emergency|right away|deadline today|dringend|sofort|"
        "urgente|紧急|긴급|至急"
    ),
    "frustrated": pattern(
        "frustrat*|annoy*|angry|fed up|again and again|still does not|still doesn't|"
        "keeps failing|complain*|upset|verärgert|genervt|frustrad*|enfadad*|生气|짜증|화가"
    ),
    "confused": pattern(
        "confus*|unclear|not sure|did not understand|didn't understand|puzzled|misunderst*|"
        "verwirrt|confundid*|困惑|헷갈"
    ),
    "satisfied": pattern(
        "satisf*|happy|thanked|thanks|grateful|pleased|delighted|great|perfect|zufrieden|"
        "dankte|content*|gracias|满意|감사|満足"
    ),
    "productive": pattern(
        "finished|completed|done|resolved|shipped|delivered|progress|fixed|succeeded|"
        "fertig|erledigt|terminad*|complet*|完成|완료|完了"
    ),
}

FAILED: Final = pattern(
    "failed|failure|failing|did not work|didn't work|does not work|could not|couldn't|"
    "was refused|rejected|crashed|broke|error|timed out|gave up|fehlgeschlagen|gescheitert|"
    "funktionierte nicht|falló|fracas*|no funcionó|échoué|失败|실패|失敗"
)
SUCCEEDED: Final = pattern(
    "succeeded|successfully|it worked|worked well|works now|resolved|solved|fixed|"
    "completed|finished|went out|delivered|passed|approved|gelöst|erfolgreich|geklappt|"
    "funcionó|resuelto|con éxito|réussi|成功|성공|解決"
)
PARTLY: Final = pattern(
    "partly|partially|half of|some of it|not all|only part|teilweise|en parte|parcialmente|"
    "部分|일부"
)
PREFERS: Final = pattern(
    "prefer*|always wants|always asks|wants us to|insist*|please always|never again|"
    "from now on|likes|dislikes|hates|bevorzugt|besteht darauf|immer|prefiere|siempre|喜欢|"
    "선호|好む"
)
NOVEL: Final = pattern(
    "first time|for the first time|something new|discovered|learned that|turned out|"
    "unexpected*|surprising*|zum ersten mal|entdeckt|por primera vez|descubr*|首次|처음|"
    "初めて"
)
WANTED: Final = pattern(
    "asked|asks|wanted|wants|needed|needs|requested|requests|had to|tried to|please|"
    "can you|could you|i need|i want|help|goal|task|bat|wollte|brauchte|pidió|quería|"
    "demandé|请|想|요청|원했|頼"
)
