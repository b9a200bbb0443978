"""Lives of agents, with what recurs in them marked.

Each life is sixty episodes over three months. An episode is one or two sentences of the day's work,
and in some of them one sentence of something that recurs, each time in other words. The first life
is the one that the method was made on; the second was written before that and not looked at.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True)
class Recurring:
    """One thing that recurs: its wordings, when (shares of the life), and how those days ended."""

    words: Sequence[str]
    since: float = 0.0
    until: float = 1.0
    outcome: str = "unknown"
    times: int = 6


@dataclass(frozen=True)
class Told:
    """One episode, and the keys of what recurs in it."""

    content: str
    at: datetime
    outcome: str
    holds: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True)
class Life:
    """What recurs, what replaces what, and the days without either."""

    recurring: Mapping[str, Recurring]
    replaced_by: Mapping[str, str]
    days: Sequence[str]

    def episodes(self, seed: int = 1, count: int = 60) -> list[Told]:
        """Sixty episodes, oldest first; what recurs falls on days of its own time."""
        pick = random.Random(seed)
        holds: list[list[str]] = [[] for _ in range(count)]
        said: list[list[str]] = [[] for _ in range(count)]
        outcomes = ["unknown"] * count
        for key, one in self.recurring.items():
            first, last = round(one.since * count), round(one.until * count)
            free = [day for day in range(first, last) if not holds[day]]
            for number, day in enumerate(sorted(pick.sample(free, one.times))):
                holds[day].append(key)
                said[day].append(one.words[number % len(one.words)])
                outcomes[day] = one.outcome
        start = datetime(2026, 1, 5, 9, tzinfo=UTC)
        days = pick.sample(list(self.days), len(self.days))
        told = []
        for day in range(count):
            sentences = [days[day % len(days)], *said[day]] if day < len(days) else said[day]
            content = " ".join(sentences or [days[day % len(days)]])
            moment = start + timedelta(days=1.5 * day)
            told.append(Told(content, moment, outcomes[day], frozenset(holds[day])))
        return told


FIRST = Life(
    recurring={
        "aisle seat": Recurring(
            (
                "Ana prefers aisle seats on every flight.",
                "As always Ana wanted an aisle seat.",
                "Ana asked for an aisle seat again.",
                "She reminded me that she prefers the aisle seat, Ana does.",
                "Ana prefers an aisle seat, so I booked one.",
            ),
            until=0.55,
        ),
        "window seat": Recurring(
            (
                "Ana now prefers window seats.",
                "Ana told me she wants a window seat from now on, no longer the aisle.",
                "I took a window seat for Ana, which she prefers these days.",
                "Ana asked for a window seat again.",
                "Ana prefers the window seat now.",
            ),
            since=0.65,
            times=5,
        ),
        "short answers": Recurring(
            (
                "The user wants short answers without small talk.",
                "He asked me once more to keep my answers short.",
                "Short answers are what the user likes.",
                "The user complained that my answer was too long; he wants short answers.",
                "Keep answers short, the user said.",
            ),
        ),
        "migration": Recurring(
            (
                "The deploy failed because the database migration timed out.",
                "The database migration timed out and the deploy failed.",
                "Deploying failed again: the migration of the database timed out.",
                "The deploy broke since the database migration ran into a timeout.",
                "Another failed deploy, the database migration timed out.",
            ),
            outcome="failure",
        ),
        "invoice": Recurring(
            (
                "Invoices for Berta must carry the order number.",
                "Berta sent the invoice back because the order number was missing.",
                "Every invoice to Berta needs its order number.",
                "I put the order number on the invoice for Berta, as she requires.",
                "Berta's invoices need the order number on them.",
            ),
        ),
        "cache": Recurring(
            (
                "Clearing the cache first made the tests pass.",
                "After clearing the cache the tests passed.",
                "The tests passed once I cleared the cache.",
                "I cleared the cache, and then the tests passed.",
            ),
            outcome="success",
            times=5,
        ),
    },
    replaced_by={"aisle seat": "window seat"},
    days=(
        "I compared three suppliers of paper for the office.",
        "A visitor wanted directions to the harbour.",
        "We renamed the project folder to Juniper.",
        "The printer in the hall ran out of toner.",
        "I translated a recipe for lentil soup.",
        "Carlos wanted a summary of the board meeting.",
        "I looked up the opening hours of the museum.",
        "The newsletter went out to four hundred people.",
        "Someone left an umbrella at the reception.",
        "I wrote a birthday card for Dora.",
        "The quarterly figures were put into a chart.",
        "I moved the dentist to Thursday.",
        "A broken link on the home page was repaired.",
        "Emil asked how to export his contacts.",
        "We picked a name for the new meeting room.",
        "I ordered two chairs and a lamp.",
        "The parking permit of Frida was renewed.",
        "I proofread a speech about bees.",
        "The backup of Sunday was checked.",
        "Gregor wanted to know the weather in Tromsø.",
        "I drafted an answer to the landlord.",
        "The logo got a darker shade of green.",
        "A password was reset for the intern.",
        "I found a plumber for the leaking tap.",
        "Hanna needed a list of Portuguese verbs.",
        "The old server was switched off at night.",
        "I summed up a podcast on tides.",
        "Ivo's talk was moved to the large hall.",
        "I booked a table for nine people.",
        "The garden plan was printed on A3.",
        "Jana sent holiday pictures to be sorted.",
        "I corrected the address of the warehouse.",
        "A quiz about capitals was put together.",
        "The fire drill took eleven minutes.",
        "I counted the votes for the logo.",
        "Kim wanted a rhyme for orange.",
        "The coffee machine was descaled.",
        "I checked the spelling of street names.",
        "A parcel from Lyon arrived damaged.",
        "We tried a new font for the slides.",
        "Lars had questions about his pension.",
        "The bicycle shed got a new lock.",
        "I searched for flights to Tallinn.",
        "Mona wanted a playlist for the party.",
        "The survey was closed with ninety replies.",
        "I explained how tides work.",
        "An old contract was scanned.",
        "Nils asked for the price of oak boards.",
        "The thermostat was set two degrees lower.",
        "I made a table of bus departures.",
        "Olga wanted a poem about autumn.",
        "The sales figures of March were late.",
        "I tidied the shared calendar.",
        "Paul forgot his badge.",
        "The kitchen needs a new kettle.",
        "I listed vegetarian restaurants nearby.",
        "A memo on safety was sent around.",
        "Quinn wanted to practise for an interview.",
        "The lift was out of order.",
        "I looked into the cost of solar panels.",
    ),
)

SECOND = Life(
    recurring={
        "formal": Recurring(
            (
                "The editor wants headlines in formal language.",
                "Headlines must be formal, the editor insisted.",
                "The editor sent it back for a formal headline.",
                "I wrote a formal headline since that is what the editor likes.",
                "The editor prefers formal headlines.",
            ),
            until=0.5,
        ),
        "playful": Recurring(
            (
                "The editor now prefers playful headlines.",
                "From now on the editor wants playful headlines instead of formal ones.",
                "I gave the article a playful headline, as the editor now likes.",
                "The editor asked for a playful headline again.",
            ),
            since=0.6,
            times=5,
        ),
        "nuts": Recurring(
            (
                "Mr Okafor is allergic to nuts, the kitchen was told.",
                "I ordered without nuts because Mr Okafor is allergic to nuts.",
                "Mr Okafor's nut allergy was noted on the order.",
                "No nuts for Mr Okafor, he is allergic.",
            ),
        ),
        "scraper": Recurring(
            (
                "The scraper was blocked because it sent too many requests.",
                "Too many requests got the scraper blocked again.",
                "The site blocked our scraper after too many requests.",
                "Our scraper sent too many requests and was blocked.",
            ),
            outcome="failure",
            times=5,
        ),
        "outline": Recurring(
            (
                "Writing an outline first made the report quick to finish.",
                "With an outline written first the report was finished quickly.",
                "I wrote an outline first and finished the report quickly.",
                "Starting from an outline, the report was quickly finished.",
            ),
            outcome="success",
            times=5,
        ),
        "friday": Recurring(
            (
                "Never publish on Friday, says the team.",
                "The team does not publish on Fridays.",
                "It was Friday, so the team did not publish.",
                "The team wants nothing published on a Friday.",
            ),
        ),
    },
    replaced_by={"formal": "playful"},
    days=(
        "I sorted the photographs of the regatta.",
        "A reader asked about the history of the lighthouse.",
        "The map of the old town was redrawn.",
        "I interviewed a baker about sourdough.",
        "Two captions had the wrong year.",
        "The archive needs more shelves.",
        "I transcribed a talk on glaciers.",
        "Rosa wanted numbers on rainfall.",
        "The radio spot was cut to twenty seconds.",
        "I looked for a quote by a physicist.",
        "A table of election results was typed.",
        "The cover shows a heron.",
        "Sven lost the key to the darkroom.",
        "I checked whether a bridge had been renamed.",
        "The crossword of Saturday had two solutions.",
        "We met the printer's new manager.",
        "I drew a timeline of the strike.",
        "Tara needed background on copper prices.",
        "The obituary of a violin maker came in.",
        "I measured the width of the columns.",
        "A correction about a street number was run.",
        "The studio light flickers.",
        "Uwe wanted a second opinion on a poem.",
        "I put the recipes in alphabetical order.",
        "The subscriber list was exported.",
        "Vera asked who owns the cinema.",
        "I scanned six letters from 1911.",
        "The cartoon arrived without a signature.",
        "We counted visitors at the fair.",
        "I described a chart for the blind.",
        "Willem's piece on canals was shortened.",
        "A rumour about a merger turned out false.",
        "The delivery van had a flat tyre.",
        "I renewed the licence of the font.",
        "Xenia needs a photo of a lynx.",
        "The comments under the essay were closed.",
        "I listed all mayors since 1950.",
        "Yannick offered a series on mushrooms.",
        "The wall clock was eight minutes slow.",
        "I compared two translations of a fable.",
        "A school class came for a tour.",
        "The weather page lost its icons.",
        "Zoe wanted the phone number of the opera.",
        "I found a misprint in the chess column.",
        "The staff picnic was moved indoors.",
        "I prepared questions for the minister.",
        "A box of negatives turned up.",
        "The horoscope was swapped by mistake.",
        "I verified the height of a tower.",
        "Our intern wrote about falconry.",
        "The index of volume nine is done.",
        "I asked three dentists about sugar.",
        "A letter praised the garden pages.",
        "The new scanner needs a driver.",
        "I tallied the prizes of the raffle.",
        "Boris reviewed a film about ants.",
        "The tea kitchen smells of paint.",
        "I looked up when the mill closed.",
        "A podcast on bells was recorded.",
        "The stairs were polished.",
    ),
)

GERMAN = Life(
    recurring={
        "rechnung": Recurring(
            (
                "Frau Vogel will Rechnungen nur per Post.",
                "Frau Vogel besteht auf Rechnungen per Post.",
                "Die Rechnung ging per Post an Frau Vogel, wie sie es will.",
                "Rechnungen an Frau Vogel gehen per Post.",
            ),
            times=5,
        ),
        "sicherung": Recurring(
            (
                "Die Sicherung schlug fehl, weil die Platte voll war.",
                "Weil die Platte voll war, schlug die Sicherung fehl.",
                "Wieder schlug die Sicherung fehl: die Platte war voll.",
            ),
            outcome="failure",
            times=5,
        ),
    },
    replaced_by={},
    days=tuple(
        """Ein Besucher fragte nach dem Hafen.|Der Drucker braucht Papier.
        |Ich schrieb eine Einladung.|Die Lampe im Flur flackert.
        |Peter suchte seinen Ausweis.|Das Protokoll wurde verschickt.
        |Ich verglich Preise für Stühle.|Die Heizung wurde entlüftet.
        |Lena wollte ein Gedicht über Herbst.
        |Das Logo ist jetzt dunkler.|Ich zählte die Stimmen.|Der Aufzug stand still.
        |Ein Paket kam beschädigt an.|Ich ordnete die Fotos vom Ausflug.
        |Die Umfrage ist geschlossen.
        |Jonas fragte nach Bussen.|Der Vertrag wurde eingescannt.|Ich übersetzte ein Rezept.
        |Die Kaffeemaschine ist entkalkt.|Mara brauchte eine Liste der Verben.""".replace(
            "\n", ""
        ).split("|")
    ),
)
SPANISH = Life(
    recurring={
        "factura": Recurring(
            (
                "Don Luis quiere las facturas en papel.",
                "Don Luis pidió otra vez la factura en papel.",
                "La factura fue en papel, como quiere Don Luis.",
                "Las facturas de Don Luis van en papel.",
            ),
            times=5,
        ),
        "servidor": Recurring(
            (
                "El servidor se cayó porque el disco estaba lleno.",
                "Como el disco estaba lleno, el servidor se cayó.",
                "Otra vez se cayó el servidor: el disco estaba lleno.",
            ),
            outcome="failure",
            times=5,
        ),
    },
    replaced_by={},
    days=tuple(
        """Un visitante preguntó por el puerto.|La impresora necesita papel.|Escribí una invitación.
        |La lámpara del pasillo parpadea.|Pedro buscaba su carnet.|El acta fue enviada.
        |Comparé precios de sillas.|La calefacción fue revisada.
        |Lucía quería un poema sobre el otoño.
        |El logotipo es ahora más oscuro.|Conté los votos.|El ascensor estaba parado.
        |Llegó un paquete dañado.|Ordené las fotos de la excursión.|La encuesta está cerrada.
        |Jorge preguntó por los autobuses.|El contrato fue escaneado.|Traduje una receta.
        |La cafetera está limpia.|Marta necesitaba una lista de verbos.""".replace("\n", "").split(
            "|"
        )
    ),
)
# Written after the method was finished, and run once to report on it.
THIRD = Life(
    recurring={
        "noon": Recurring(
            (
                "Dr Lindqvist likes her appointments at noon.",
                "An appointment at noon suits Dr Lindqvist best, she said.",
                "I put the appointment of Dr Lindqvist at noon.",
                "Dr Lindqvist wanted noon for her appointment.",
            ),
            until=0.5,
            times=5,
        ),
        "morning": Recurring(
            (
                "Dr Lindqvist now likes her appointments in the morning.",
                "Instead of noon, Dr Lindqvist wants her appointment in the morning.",
                "Dr Lindqvist wanted the appointment in the morning again.",
                "I gave Dr Lindqvist an appointment in the morning.",
            ),
            since=0.6,
            times=5,
        ),
        "scanner": Recurring(
            (
                "The scanner jammed because the paper was damp.",
                "Damp paper jammed the scanner again.",
                "Because of damp paper the scanner jammed.",
                "The paper was damp, so the scanner jammed.",
            ),
            outcome="failure",
            times=5,
        ),
        "consent": Recurring(
            (
                "Every patient must sign the consent form before an X-ray.",
                "No X-ray before the consent form is signed.",
                "The X-ray had to wait until the consent form was signed.",
                "Patients have to sign the consent form before any X-ray.",
            ),
            times=6,
        ),
        "reminder": Recurring(
            (
                "A reminder by text message the day before worked: the patient came.",
                "The patient came after a text message the day before.",
                "I sent a reminder by text message the day before and the patient came.",
                "Reminding the patient by text message the day before worked.",
            ),
            outcome="success",
            times=5,
        ),
    },
    replaced_by={"noon": "morning"},
    days=(
        "I ordered gloves in two sizes.",
        "A courier asked for the back entrance.",
        "The plant in the hall was watered.",
        "Someone parked on the lawn.",
        "I translated a leaflet about sleep.",
        "The aquarium pump hums.",
        "Ms Abara asked for a copy of her bill.",
        "I filed the letters of last week.",
        "The holiday list hangs in the kitchen.",
        "A child lost a mitten.",
        "I found the manual of the fridge.",
        "The phone rang forty times before ten.",
        "Mr Baptiste changed his address.",
        "I compared prices of office chairs.",
        "The sign at the gate is crooked.",
        "A salesman left three catalogues.",
        "I looked for the key to cabinet six.",
        "The magazine pile was renewed.",
        "Ms Chen inquired about parking.",
        "I typed the minutes of the meeting.",
        "The window cleaner comes on Tuesday.",
        "A bird built a nest above the door.",
        "I renewed the domain name.",
        "The stapler is empty.",
        "Mr Dlamini needs a certificate for his school.",
        "I counted the masks in the store.",
        "The lamp in room two flickers.",
        "A trainee started on Monday.",
        "I wrote to the landlord about the roof.",
        "The clock in the hall is fast.",
        "Ms Eriksen thanked us with flowers.",
        "I sorted old invoices by year.",
        "The water dispenser leaks.",
        "A student asked for an internship.",
        "I made a list of birthdays.",
        "The radio was too loud.",
        "Mr Fofanah moved to another town.",
        "I checked the first-aid boxes.",
        "The bin for glass is full.",
        "A neighbour complained about noise.",
        "I labelled the drawers.",
        "The wifi password is on the board.",
        "Ms Gupta speaks Tamil and Hindi.",
        "I put up the poster on vaccination.",
        "The lift inspection is due.",
        "A van blocked the ambulance bay.",
        "I booked the plumber for the sink.",
        "The coat rack broke.",
        "Mr Haddad left his umbrella.",
        "I printed the rota for May.",
        "The heating makes a ticking sound.",
        "A journalist called about waiting times.",
        "I shredded twelve folders.",
        "The biscuit tin is empty.",
        "Ms Ito brought a jigsaw for the children.",
        "I measured room four for a new desk.",
        "The garden gate squeaks.",
        "A fax came from Oslo.",
        "I learned how the new phones work.",
        "The carpet was cleaned.",
    ),
)
