"""What the rules must not learn from: each text states no such fact of its speaker."""

from __future__ import annotations

import pytest

from retain.domain.message import Message
from retain.learn.extract.rules import extract

NOTHING = """
Do I live in Oslo?
Where do I live?
What's my name?
Is my name Ana?
Am I allergic to peanuts?
My name is what, again?
I live in Oslo, don't I?
I work at Acme, right? Or do I?
Who is my sister?
Did I tell you that I live in Oslo?
Do you know if I like jazz?
Can you guess where I live?
Should I move to Lisbon?
What if I moved to Lisbon?
Would I like Oslo?
How old am I?
Do you remember that my name is Ana?
If I lived in Oslo, I would be happy.
If I live in Oslo next year, I will ski.
I wish I lived in Oslo.
I wish I could live in Paris.
I wish my name was Rex.
I would love a holiday.
I'd love to live in Rome.
I'd like a pizza.
I would like some coffee.
I might move to Lisbon.
Maybe I live in Oslo in another life.
Perhaps I like jazz after all.
I could be a teacher.
I could live in Oslo.
I should work at Google.
Imagine I live in Oslo.
Imagine you are a cat. I live in a box in Oslo.
Suppose I live in Berlin.
Let's say I live in Berlin.
Let's pretend my name is Rex.
Pretend that I'm a doctor.
Pretend you're my sister. I live in Oslo.
Act as a nurse. I work at Acme.
Act like a pirate: my name is Jack.
You are now Captain Hook. My name is Peter.
From now on, you are Bob. I live in Neverland.
Role-play: I'm a doctor and you're my patient.
Roleplay as my boss. My name is Ana.
Assume I live in Tokyo.
Assuming I live in Tokyo, what should I see?
Unless I live in Oslo, it makes no sense.
In case I live in Oslo, tell me.
When I lived in Oslo, I skied.
As if I live in Oslo!
Hypothetically, I live in Mexico.
I dreamed that I live in Paris.
I'd rather live in Oslo.
I want to live in Oslo.
I hope to work at Google.
I plan to move to Lisbon.
I'm thinking of moving to Lisbon.
I'm going to move to Lisbon.
I almost moved to Lisbon.
I nearly moved to Paris.
I never lived in Oslo.
I have never lived in Oslo.
I haven't moved to Lisbon.
I didn't move to Lisbon.
I'm not from Oslo.
I'm not a nurse.
I am not a doctor.
I don't work as a nurse.
I don't have a dog.
I don't have two cats.
I have no kids.
I'm not married.
I'm not 34.
I'm not saying I live in Oslo.
It's not true that I live in Oslo.
Not that I love jazz.
I'm not sure I like jazz.
I don't think I like jazz.
I don't know if I like it.
She said I live in Oslo.
He says my name is Rex.
He told me that I live in Oslo.
My boss thinks I live in Oslo.
They claim I work at Acme.
My mother said, I love jazz.
"I live in Oslo," he said.
"My name is Rex", said the dog.
My name is Rex, said the dog.
I live in Oslo, said the fox.
I'm Ana, she whispered.
He wrote: "I live in Paris."
The sign reads “I love New York”.
The song goes 'I love rock and roll'.
«Je vis à Paris», a-t-elle dit.
「私は東京に住んでいます」
The character says "my name is Inigo Montoya".
Quote: "I work at Acme."
My friend asked: "I'm allergic to nuts, is it safe?"
How do you say "my name is Ana" in French?
Translate to German: I live in Oslo.
Translate this: my name is Ana and I love cake.
Please translate the following text: I work at Acme.
Proofread this: I am a teacher and I live in Oslo.
Fix the grammar in this sentence: I lives in Oslo. I live in Bergen.
Rewrite this paragraph: I live in Oslo.
Summarize this text. I live in Oslo and I work at Acme.
Paraphrase the following: I love jazz.
Correct this sentence: I likes tea. I like tea.
Write a story. My name is Rex and I live in Paris.
Write me a poem about a dog: my name is Rex.
Write a cover letter: I work at Acme and I love teams.
Write a short bio. I'm a nurse.
Can you write a dialogue? I'm a doctor.
Give me an example sentence: I live in Oslo.
Generate a character. My name is Zog.
Compose a letter to my landlord. I live in Oslo.
Create a persona: my name is Ana, I'm 34 years old.
Continue the story: I live in a castle in Transylvania.
I'm Hungry.
I'm Hungry
I'm Tired
Hi, I'm Hungry.
Hi, I'm Bored.
Hello, I'm Lost.
Hey, I'm Back!
Hi, I'm German.
Hi, I'm Looking for a book.
Hi, I'm Catholic.
I'm Ana
I'm here.
I'm home.
I'm done.
I'm good, thanks.
I'm fine.
I'm 5 minutes away.
I'm 90% sure.
I'm 6 feet tall.
I'm 10 pages in.
I'm 2 for 2.
I'm a big fool.
I'm a mess.
I'm a bit tired.
I'm a terrible cook.
I'm a bad teacher.
I'm a horrible singer.
I'm a fast runner.
I'm a morning person.
I'm a fan.
I'm an idiot.
I'm at work.
I'm at Starbucks.
I'm in Paris.
I'm in Oslo right now.
I'm on the train to Bergen.
I'm off to Lisbon.
I'm from the future.
I'm from work.
I live in fear.
I live in hope.
I live in the moment.
I live in a flat.
I live in an old house.
I live in the past.
I live in denial.
I live in my car.
I live here.
I live alone.
I moved to the couch.
I moved to a new desk.
I moved to the next chapter.
I moved on.
I moved my chair to the window.
I work hard.
I work at night.
I work at home.
I work for free.
I work as hard as I can.
I work on it.
I work with my hands.
I work too much.
I quit.
I quit smoking cigars indoors.
I left.
I love it.
I love it!
I love this.
I love that.
I love that idea.
I love those shoes.
I love you.
I love your photo.
I love your dress!
I love how you did it.
I love when it rains.
I love what you wrote.
I love the idea.
I love the way it looks.
I love the new photo.
I love the Vintage Garden idea.
I love seeing you happy.
I love hearing about your trip.
I love being here.
I just love waiting in line.
I love games that make me think.
I love making sure people are safe.
I like it.
I like that.
I like the first option.
I like both.
I like how it ends.
I like to think so.
I like your style.
I like what you did there.
I like, totally forgot.
I like where this goes.
I feel like pizza.
I hate to say it.
I hate it here.
I hate that.
I hate when that happens.
I hate you.
I hate to admit it.
I enjoyed it.
I enjoyed the movie.
I enjoy it a lot.
I prefer the first one.
I prefer that.
I prefer it.
I'm into it.
I'm a fan of yours.
I'm a fan of this.
I'm obsessed with it.
I don't eat much.
I don't eat there.
I don't eat out.
I don't drink much.
I'm allergic to Mondays.
I'm allergic to stupidity.
I'm allergic to work.
I'm allergic to it.
I have a question.
I have two questions.
I have a dog bed to sell.
I have a cat video for you.
I have three ideas.
I have a friend in Rome.
I have a favorite dog video.
I have a meeting.
I got a call from my brother.
I have a gift for my sister.
I'm repotting my Snake Plant.
I love playing "It takes two" together.
I have an appointment.
My name is on the list.
My name is not important.
My name is hard to spell.
My name is misspelled here.
My name is too long.
My sister is here.
My sister And I went out.
My dog is cute.
My dog is Lazy.
My cat is sleeping.
My mom Is great.
My brother Always laughs.
My favourite is the second.
My favorite part is the ending.
My favorite thing is how it ends.
My favorites are these.
My flight was great.
My flight is late.
My wedding was lovely.
My exam is hard.
My appointment is soon.
My job is hard.
My job is killing me.
My work at the office is fun.
My love for jazz is endless.
I love Mondays, not!
I live in Narnia, just kidding.
My name is Batman, just kidding.
I'm a doctor, jk
I love queues /s
Yeah, right, I love traffic.
I live in Atlantis (kidding).
Call me crazy.
Call me later.
Call me maybe.
Call me when you arrive.
You can call me tomorrow.
Call me Ishmael is a famous opening?
He lives in Oslo.
She is a nurse.
They moved to Lisbon.
You live in Oslo.
Your name is Claude.
Ana lives in Paris.
The dog is called Rex.
People who live in Oslo ski.
We went somewhere nice.
I went home.
I went there yesterday.
I did it yesterday.
I told you yesterday.
I saw that last week.
I had a great time last weekend.
I need it by Friday.
I booked it for Friday.
I liked it yesterday.
I asked you yesterday.
I thought about it last night.
I won't be able to come this weekend.
See you tomorrow!
Let's meet on Friday.
As a child, I loved dinosaurs.
When I was a kid, I hated fish.
When I am sad, I like jazz.
Back then, I lived in Oslo.
Growing up, I loved dogs.
Before, I worked at Acme.
Once I live in Oslo, I will ski.
Until I live in Oslo I can't ski.
Whether I live in Oslo or not is no matter.
I heard my name is famous there.
It feels like I live in Oslo.
It sounds like I love jazz.
It seems I work at Acme.
Everyone thinks I'm a doctor.
Nobody believes I'm 34 years old.
Tell him that I live in Oslo.
Don't say I live in Oslo.
Say that I live in Oslo.
For example, I live in Oslo.
E.g. "I like tea".
Wenn ich in Berlin wohne, bin ich froh.
Wohne ich in Berlin?
Er sagt, ich wohne in Berlin.
Wir sind noch nicht nach Leipzig gezogen.
Ich bin nicht gegen Nüsse allergisch.
Ich will Ruhe und lebe in Frieden.
Ich mag das.
Ich liebe dich.
Ich bin müde.
¿Vivo en Madrid?
Si vivo en Madrid, estoy feliz.
Me gusta eso.
Te llamas Ana.
Soy feliz.
J'aime ça.
Je t'aime.
Si j'habite à Paris, tant mieux.
Est-ce que j'habite à Paris ?
Gosto disso.
Se eu moro em Lisboa, tudo bem.
Mi piace questo.
Se vivo a Milano, va bene.
Если я живу в Москве, хорошо.
Я люблю тебя.
Он живёт в Москве.
如果我住在上海就好了。
我住在上海吗？
他说我住在上海。
我喜欢你。
もし東京に住んでいますなら。
東京に住んでいますか？
あなたが好きです。
저는 서울에 살아요?
만약 제 이름은 김철수입니다 라면
क्या मैं दिल्ली में रहता हूँ?
अगर मैं दिल्ली में रहता हूँ तो अच्छा।
هل أعيش في القاهرة؟
لو كنت أعيش في القاهرة
""".strip().splitlines()

WITH_BREAKS = [
    "```\nmy_name = 'x'\nI live in Oslo.\n```",
    "```python\n# I work at Acme\n```\nWhy does it fail?",
    "~~~\nMy name is Ana.\n~~~",
    "Unclosed:\n```\nI live in Oslo.",
    "> I live in Oslo.\nWhat do you make of that?",
    "> My name is Ana.\n> I work at Acme.",
    "Look at `I live in Oslo` in line 3",
    '<retain-memory id="1">\nI live in Oslo.\n</retain-memory>',
    "<retain-memory>My name is Ana. I love jazz.</retain-memory> Thanks!",
    "<retain-memory x='2'>I live in Oslo.",
    "<RETAIN-MEMORY>\nI work at Acme.\n</RETAIN-MEMORY>\nOk.",
    "<retain-memory><retain-memory>I live in Oslo.</retain-memory>I like tea.</retain-memory>",
    "Act out this scene.\nI'm a nurse.\nI live in Oslo.",
    "Summarize the following:\n\nI live in Oslo. I work at Acme.",
]


def turn(text: str, role: str = "user", actor: str | None = None) -> Message:
    return Message(id="m", role=role, content=text, occurred_at=1_717_581_600_000_000, actor=actor)


@pytest.mark.parametrize("text", NOTHING + WITH_BREAKS)
def test_nothing_is_learned(text: str) -> None:
    assert [fact.statement for fact in extract([turn(text)])] == []


@pytest.mark.parametrize(
    ("role", "actor"),
    [
        ("assistant", None), ("assistant", "Assistant"), ("assistant", "ChatGPT"),
        ("assistant", "support bot"), ("system", None), ("tool", None), ("system", "Ana"),
    ],
)  # fmt: skip
def test_who_is_no_person_states_nothing_of_themselves(role: str, actor: str | None) -> None:
    assert extract([turn("I live in Oslo and my name is Ana.", role, actor)]) == []


def test_text_after_recalled_text_is_still_read() -> None:
    text = "<retain-memory>I live in Oslo.</retain-memory>\nI live in Bergen."
    assert [fact.value for fact in extract([turn(text)])] == ["Bergen"]
