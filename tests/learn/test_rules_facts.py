"""What the rules learn: each text with the facts it states, as (attribute, value)."""

from __future__ import annotations

import pytest

from retain.domain.instant import parse_instant
from retain.domain.message import Message
from retain.learn.extract.rules import extract
from retain.learn.ground import ground

SAID_AT = parse_instant("2024-06-05T10:00:00", "said")  # a Wednesday


def said(text: str, actor: str | None = None, role: str = "user") -> Message:
    return Message(id="m", role=role, content=text, occurred_at=SAID_AT, actor=actor)


STATED: list[tuple[str, set[tuple[str, str | None]]]] = [
    # names
    ("My name is Ana.", {("name", "Ana")}),
    ("my name is ana", {("name", "ana")}),
    ("My name's Peter O'Neill", {("name", "Peter O'Neill")}),
    ("Hi, my name is Maria Lopez and I need help.", {("name", "Maria Lopez")}),
    ("My full name is Ana Maria de la Cruz.", {("name", "Ana Maria de la Cruz")}),
    ("Actually my name is Jonas.", {("name", "Jonas")}),
    ("Actually, my name is Jonas, not John.", {("name", "Jonas")}),
    ("I changed my name to Robin.", {("name", "Robin")}),
    ("I've legally changed my name to Alex Stone.", {("name", "Alex Stone")}),
    ("Hi, I'm Ana!", {("name", "Ana")}),
    ("Hello there, I'm Tomás.", {("name", "Tomás")}),
    ("Hey, I’m Priya, nice to meet you.", {("name", "Priya")}),
    ("Call me Bob.", {("nickname", "Bob")}),
    ("You can call me Liz.", {("nickname", "Liz")}),
    ("Everyone calls me Max.", {("nickname", "Max")}),
    ("I go by Sam.", {("nickname", "Sam")}),
    ("My last name is Okafor.", {("surname", "Okafor")}),
    ("My nickname is Ziggy.", {("nickname", "Ziggy")}),
    ("My pronouns are they/them.", {("pronouns", "they/them")}),
    # home
    ("I live in Oslo.", {("home", "Oslo")}),
    ("I live in Oslo, Norway.", {("home", "Oslo, Norway")}),
    ("i live in oslo", {("home", "oslo")}),
    ("i live in new york with my cousin", {("home", "new york")}),
    ("I'm living in Berlin now.", {("home", "Berlin")}),
    ("I currently live in San Francisco.", {("home", "San Francisco")}),
    ("I've been living in Tokyo for two years.", {("home", "Tokyo")}),
    ("We live in northern Italy.", {("home", "northern Italy")}),
    ("I live in the Netherlands.", {("home", "the Netherlands")}),
    ("We moved to Lisbon.", {("home", "Lisbon")}),
    ("we moved to Lisbon last month, it's great", {("home", "Lisbon")}),
    ("I just moved to Boston.", {("home", "Boston")}),
    ("I moved from Oslo to Bergen.", {("home", "Bergen")}),
    ("I've relocated to Singapore.", {("home", "Singapore")}),
    ("I recently moved back to Rio de Janeiro", {("home", "Rio de Janeiro")}),
    ("I'm based in London.", {("home", "London")}),
    ("I live in Oslo, what about you?", {("home", "Oslo")}),
    ("I live in Paris and can you recommend a café?", {("home", "Paris")}),
    ("I moved to Nice yesterday.", {("home", "Nice")}),
    ("Guess what, I moved to Porto last weekend.", {("home", "Porto")}),
    ("By the way, I live in Kyoto.", {("home", "Kyoto")}),
    ("I'm tired, but I live in Oslo so it's fine.", {("home", "Oslo")}),
    ("I'm from Brazil.", {("origin", "Brazil")}),
    ("I'm originally from Kenya.", {("origin", "Kenya")}),
    ("I come from Warsaw.", {("origin", "Warsaw")}),
    ("My hometown is Porto.", {("origin", "Porto")}),
    ("I grew up in Hanoi.", {("grew up in", "Hanoi")}),
    ("I was born in Cape Town.", {("birthplace", "Cape Town")}),
    # work
    ("I'm a nurse.", {("job", "nurse")}),
    ("I'm a software engineer at Google.", {("job", "software engineer"), ("employer", "Google")}),
    ("I am an architect", {("job", "architect")}),
    ("im a teacher", {("job", "teacher")}),
    ("I work as a project manager.", {("job", "project manager")}),
    ("I've been working as an electrician for ten years.", {("job", "electrician")}),
    ("I work at Siemens.", {("employer", "Siemens")}),
    ("I now work at Acme Corp.", {("employer", "Acme Corp")}),
    ("I work for the United Nations.", {("employer", "the United Nations")}),
    ("I work part-time at McDonald's.", {("employer", "McDonald's")}),
    ("I work in finance.", {("field of work", "finance")}),
    ("I got a new job at Spotify!", {("employer", "Spotify")}),
    ("I just started a new job at Tesla", {("employer", "Tesla")}),
    ("I just started working at Nokia.", {("employer", "Nokia")}),
    ("I got promoted to senior developer.", {("job", "senior developer")}),
    ("My job title is data analyst.", {("job", "data analyst")}),
    ("I'm retired.", {("job", "retired")}),
    ("I'm self-employed.", {("job", "self-employed")}),
    ("I study physics.", {("studies", "physics")}),
    ("I'm studying at Stanford.", {("school", "Stanford")}),
    ("I own a small bakery.", {("business", "a small bakery")}),
    ("I'm the new head of sales.", set()),
    # family and pets
    ("My sister Ana is visiting.", {("sister", "Ana")}),
    ("My sister is called Ana.", {("sister", "Ana")}),
    ("My older brother's name is Piotr.", {("brother", "Piotr")}),
    ("I'm visiting my cousin Lena next week.", {("cousin", "Lena")}),
    ("My wife Sofia is a doctor.", {("wife", "Sofia"), ("job", "doctor")}),
    ("My mom lives in Denver.", {("home", "Denver")}),
    ("My son Tom is 7 years old.", {("son", "Tom"), ("age", "7")}),
    ("My daughter, Mia, loves dinosaurs.", {("daughter", "Mia"), ("likes", "dinosaurs")}),
    ("My best friend is called Olu.", {("best friend", "Olu")}),
    ("My dog is called Poppy.", {("pet", "Poppy")}),
    ("My dog's name is Rex.", {("pet", "Rex")}),
    ("My cat Luna is sick.", {("pet", "Luna")}),
    ("our dog is named Biscuit", {("pet", "Biscuit")}),
    ("I have two cats.", {("pet", "two cats")}),
    ("I have a dog named Max.", {("pet", "Max")}),
    ("I've got a parrot called Kiwi", {("pet", "Kiwi")}),
    ("I have three kids.", {("family", "three kids")}),
    ("We have twin boys", set()),
    ("I have two sisters.", {("family", "two sisters")}),
    ("I'm married.", {("marital status", "married")}),
    ("I'm single.", {("marital status", "single")}),
    ("We got engaged!", {("marital status", "engaged")}),
    ("My husband works at Volvo.", {("employer", "Volvo")}),
    # likes
    ("I love hiking.", {("likes", "hiking")}),
    ("I really like jazz.", {("likes", "jazz")}),
    ("I like tea, coffee and cake.", {("likes", "tea"), ("likes", "coffee"), ("likes", "cake")}),
    ("I enjoy cooking with my kids.", {("likes", "cooking with their kids")}),
    ("I absolutely adore the Beatles.", {("likes", "the Beatles")}),
    ("i love sushi so much", {("likes", "sushi")}),
    ("I'm a huge fan of Formula 1.", {("likes", "Formula 1")}),
    ("I'm into photography.", {("likes", "photography")}),
    ("I'm passionate about gardening!", {("likes", "gardening")}),
    ("I love spicy food but my husband doesn't.", {("likes", "spicy food")}),
    ("I hate mushrooms.", {("dislikes", "mushrooms")}),
    ("I don't like olives.", {("dislikes", "olives")}),
    ("I dont like olives", {("dislikes", "olives")}),
    ("I can't stand loud music.", {("dislikes", "loud music")}),
    ("I'm not a fan of horror movies.", {("dislikes", "horror movies")}),
    ("I dislike cilantro", {("dislikes", "cilantro")}),
    ("I prefer tea over coffee.", {("prefers", "tea over coffee")}),
    ("I prefer window seats.", {("prefers", "window seats")}),
    ("My favourite colour is green.", {("favourite:colour", "green")}),
    ("My favorite food is ramen!", {("favourite:food", "ramen")}),
    ('My favorite book is "The Hobbit".', {("favourite:book", "The Hobbit")}),
    ("My favorite author is J.K. Rowling.", {("favourite:author", "J.K. Rowling")}),
    ("My all-time favorite movie is Blade Runner.", {("favourite:movie", "Blade Runner")}),
    ("My wife's favourite flower is the tulip.", set()),
    # health and diet
    ("I'm allergic to peanuts.", {("allergy", "peanuts")}),
    ("I’m severely allergic to bee stings.", {("allergy", "bee stings")}),
    ("I am allergic to cats, dogs and pollen.",
     {("allergy", "cats"), ("allergy", "dogs"), ("allergy", "pollen")}),
    ("I have a peanut allergy.", {("allergy", "peanut")}),
    ("I have a severe allergy to shellfish.", {("allergy", "shellfish")}),
    ("My son is allergic to eggs.", {("allergy", "eggs")}),
    ("I'm vegetarian.", {("diet", "vegetarian")}),
    ("I'm a strict vegan.", {("diet", "vegan")}),
    ("I went vegan.", {("diet", "vegan")}),
    ("I've been vegetarian for years", {("diet", "vegetarian")}),
    ("I'm a vegetarian, can you suggest dinner?", {("diet", "vegetarian")}),
    ("I'm lactose intolerant.", {("diet", "lactose intolerant")}),
    ("I follow a keto diet.", {("diet", "keto")}),
    ("I don't eat pork.", {("avoids", "pork")}),
    ("I don't drink alcohol.", {("avoids", "alcohol")}),
    ("I have asthma.", {("condition", "asthma")}),
    ("I was diagnosed with type 2 diabetes.", {("condition", "type 2 diabetes")}),
    ("I'm diabetic", {("condition", "diabetic")}),
    ("I suffer from migraines.", {("condition", "migraines")}),
    # age, birthday, languages
    ("I'm 34 years old.", {("age", "34")}),
    ("I'm 34.", {("age", "34")}),
    ("I turned 30 yesterday.", {("age", "30")}),
    ("I'm 27 and I live in Oslo.", {("age", "27"), ("home", "Oslo")}),
    ("My birthday is March 3rd.", {("birthday", "March 3rd")}),
    ("my birthday is on 12 May", {("birthday", "12 May")}),
    ("I was born on 4 July 1990.", {("birthday", "4 July 1990")}),
    ("I was born in 1988.", {("birth year", "1988")}),
    ("My sister's birthday is on 3 May.", {("birthday", "3 May")}),
    ("I speak German.", {("language", "German")}),
    ("I'm fluent in Portuguese", {("language", "Portuguese")}),
    ("I'm learning Japanese.", {("learning", "Japanese")}),
    ("My native language is Yoruba.", {("native language", "Yoruba")}),
    # dated events
    ("My flight is next Friday.", {("event:flight", "2024-06-14")}),
    ("My wedding is on 12 June.", {("event:wedding", "2024-06-12")}),
    ("I have a dentist appointment tomorrow.", {("event:dentist appointment", "2024-06-06")}),
    ("Our anniversary is on June 20th.", {("event:anniversary", "2024-06-20")}),
    ("My exam is in 3 days.", {("event:exam", "2024-06-08")}),
    ("We're getting married on 12 June 2025.", {("event", "getting married (2025-06-12)")}),
    ("I'm flying to Rome tomorrow.", {("event", "flying to Rome (2024-06-06)")}),
    ("I went to the dentist yesterday.", {("event", "went to the dentist (2024-06-04)")}),
    ("Yesterday I finished my thesis.", {("event", "finished their thesis (2024-06-04)")}),
    ("I bought a new car last week.", {("event", "bought a new car (2024-05-27)")}),
    ("We adopted a kitten two days ago.",
     {("pet", "a kitten"), ("event", "adopted a kitten (2024-06-03)")}),
    ("I ran a marathon last Sunday!", {("event", "ran a marathon (2024-06-02)")}),
]  # fmt: skip

TAKEN_BACK = [
    ("I don't live in Oslo any more.", "home", "Oslo"),
    ("I no longer live in Oslo.", "home", "Oslo"),
    ("I used to live in Madrid.", "home", "Madrid"),
    ("I moved away from Chicago.", "home", "Chicago"),
    ("I no longer work at Acme.", "employer", "Acme"),
    ("I don't work for Acme anymore", "employer", "Acme"),
    ("I quit my job at Acme.", "employer", "Acme"),
    ("I was laid off from Acme.", "employer", "Acme"),
    ("I quit my job.", "employer", None),
    ("I'm no longer vegetarian.", "diet", "vegetarian"),
    ("I'm not vegan anymore", "diet", "vegan"),
    ("I no longer like pizza.", "likes", "pizza"),
    ("I don't like pizza anymore.", "likes", "pizza"),
    ("I'm not allergic to nuts.", "allergy", "nuts"),
    ("My name isn't John.", "name", "John"),
    ("My boyfriend and I broke up.", "boyfriend", None),
    ("I broke up with my girlfriend", "girlfriend", None),
    ("My dog Max passed away.", "pet", "Max"),
]

ELSEWHERE = [
    ("Hallo, ich heiße Klaus Müller.", "name", "Klaus Müller"),
    ("Ich wohne in Berlin und mag es.", "home", "Berlin"),
    ("Ich bin nach München gezogen.", "home", "München"),
    ("Wir sind letzten Monat nach Leipzig gezogen.", "home", "Leipzig"),
    ("Ich bin gegen Nüsse allergisch.", "allergy", "Nüsse"),
    ("Ich arbeite bei Siemens.", "employer", "Siemens"),
    ("Ich bin allergisch gegen Nüsse.", "allergy", "Nüsse"),
    ("Mein Hund heißt Bello.", "pet", "Bello"),
    ("Ich bin Vegetarierin.", "diet", "Vegetarierin"),
    ("Me llamo Ana García.", "name", "Ana García"),
    ("Vivo en Madrid desde 2010.", "home", "Madrid"),
    ("Me gusta el fútbol.", "likes", "el fútbol"),
    ("Soy alérgico a los cacahuetes.", "allergy", "cacahuetes"),
    ("Je m’appelle Marie Dupont.", "name", "Marie Dupont"),
    ("J'habite à Lyon depuis 2010.", "home", "Lyon"),
    ("J'aime le chocolat.", "likes", "le chocolat"),
    ("Je suis végétarienne.", "diet", "végétarienne"),
    ("Moro em Lisboa.", "home", "Lisboa"),
    ("Meu nome é João.", "name", "João"),
    ("Não gosto de café.", "dislikes", "café"),
    ("Mi chiamo Luca.", "name", "Luca"),
    ("Vivo a Milano.", "home", "Milano"),
    ("Sono allergica alle noci.", "allergy", "noci"),
    ("Меня зовут Иван Петров.", "name", "Иван Петров"),
    ("Я живу в Москве.", "home", "Москве"),
    ("У меня аллергия на орехи.", "allergy", "орехи"),
    ("我叫李明。", "name", "李明"),
    ("我住在上海。", "home", "上海"),
    ("我喜欢喝茶。", "likes", "喝茶"),
    ("我对花生过敏。", "allergy", "花生"),
    ("私の名前は田中です。", "name", "田中"),
    ("東京に住んでいます。", "home", "東京"),
    ("コーヒーが好きです。", "likes", "コーヒー"),
    ("제 이름은 김철수입니다.", "name", "김철수"),
    ("저는 서울에 살아요.", "home", "서울"),
    ("저는 땅콩 알레르기가 있어요.", "allergy", "땅콩"),
    ("मेरा नाम राहुल है।", "name", "राहुल"),
    ("मैं दिल्ली में रहता हूँ।", "home", "दिल्ली"),
    ("मुझे चाय पसंद है।", "likes", "चाय"),
    ("اسمي أحمد", "name", "أحمد"),
    ("أعيش في القاهرة", "home", "القاهرة"),
    ("لدي حساسية من الفول السوداني", "allergy", "الفول السوداني"),
]


@pytest.mark.parametrize(("text", "facts"), STATED)
def test_a_plain_statement_is_learned(text: str, facts: set[tuple[str, str | None]]) -> None:
    found = extract([said(text)])
    assert facts <= {(str(fact.attribute), fact.value) for fact in found}


@pytest.mark.parametrize("text", [text for text, _ in STATED] + [row[0] for row in ELSEWHERE])
def test_every_fact_is_grounded_in_its_exact_quote(text: str) -> None:
    message = said(text)
    for fact in extract([message]):
        for quote in fact.quotes:
            assert text[quote.start : quote.end] == quote.text
        verdict = ground(fact, [message])
        assert verdict.ok, verdict.reason
        assert verdict.check == "exact"


@pytest.mark.parametrize(("text", "attribute", "value"), TAKEN_BACK)
def test_a_value_taken_back_ends(text: str, attribute: str, value: str | None) -> None:
    ends = [(fact.attribute, fact.value) for fact in extract([said(text)]) if fact.ends]
    assert ends == [(attribute, value)]


@pytest.mark.parametrize(("text", "attribute", "value"), ELSEWHERE)
def test_other_languages_are_learned_in_their_own_words(
    text: str, attribute: str, value: str
) -> None:
    [fact] = [fact for fact in extract([said(text)]) if fact.attribute == attribute]
    assert fact.value == value
    assert fact.statement in text


def test_a_named_speaker_is_the_subject() -> None:
    [fact] = extract([said("I live in Oslo.", actor="Caroline", role="assistant")])
    assert fact.statement == "Caroline lives in Oslo."
    assert (fact.subject, fact.attributed_to, fact.actor) == ("caroline", "assistant", "Caroline")


def test_a_statement_about_a_relative_is_about_them() -> None:
    facts = extract([said("My sister Ana lives in Paris.")])
    assert ("user's sister ana", "home", "Paris") in {
        (fact.subject, fact.attribute, fact.value) for fact in facts
    }


def test_a_relative_date_is_written_out() -> None:
    [fact] = extract([said("I went to the dentist yesterday.")])
    assert fact.statement == "User went to the dentist on 4 June 2024."
    assert fact.valid_from == parse_instant("2024-06-04", "day")


def test_a_change_begins_when_it_is_said_to() -> None:
    [fact] = extract([said("We moved to Lisbon in May 2024.")])
    assert fact.statement == "User lives in Lisbon (moved in May 2024)."
    assert (fact.single, fact.valid_from) == (True, parse_instant("2024-05-01", "day"))


def test_a_coming_event_is_known_from_when_it_was_told() -> None:
    [fact] = extract([said("My flight is next Friday.")])
    assert fact.valid_from is None
    assert fact.metadata["event_date"] == "2024-06-14"


def test_quotes_count_the_turns() -> None:
    facts = extract([said("Hello!"), said("I live in Oslo.")])
    assert [fact.quotes[0].turn for fact in facts] == [1]
