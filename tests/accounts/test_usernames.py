"""Names of accounts: nobody hides in them, and nobody looks like another."""

from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from config.maintenance.repair import findings
from ratings.models import Game, Player, name_columns
from tests.accounts.mailing import sign_up
from tests.accounts.waiting import waiting_for_us

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
TAKEN = "or a name that looks like it, is taken"


def operator() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("olga", password="x"))
    return client


def rename(client: Client, user: User, name: str, **more: Any) -> str:
    """Fill in the page of the account in the admin; what it says, in words."""
    page = reverse("admin:accounts_user_change", args=[user.pk])
    form = client.get(page).context["adminform"].form
    given = {name: value for name, value in form.initial.items() if value not in (None, False)}
    given |= {"username": name, **more}
    return client.post(page, given, follow=True).content.decode()


@pytest.mark.parametrize("name", ["тom", "ѕam", "Вoris", "οhm"])
def test_sign_up_refuses_words_of_several_alphabets(name: str) -> None:
    values = {"username": name, "password1": "a good password", "password2": "a good password"}
    answer = Client().post("/accounts/signup/", values)
    assert f"“{name}” mixes letters" in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["вася", "田中たろう", "tom", "josé"])
def test_sign_up_takes_words_of_one_writing(name: str) -> None:
    values = {"username": name, "password1": "a good password", "password2": "a good password"}
    Client().post("/accounts/signup/", values)
    assert User.objects.get().username == name


@pytest.mark.parametrize("name", ["тom", "to\u3164m", "t\u0353\u0353\u0353\u0353\u0353om"])
def test_an_account_is_not_renamed_so_either(name: str) -> None:
    with pytest.raises(ValidationError):
        User(username=name, password="x").full_clean()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tom", "A user with that username already exists."),
        ("TOM", "A user with that username already exists."),
        ("t0m", "“t0m”, or a name that looks like it, is taken. Choose another."),
        ("", "This field is required."),
        ("t" * 151, "Ensure this value has at most 150 characters (it has 151)."),
        (
            "two words",
            "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.",
        ),
    ],
)
def test_the_admin_says_once_why_it_adds_no_such_account(name: str, said: str) -> None:
    User.objects.create_user("tom")
    values = {"username": name, "password1": "a good password", "password2": "a good password"}
    answer = operator().post(
        reverse("admin:accounts_user_add"), {**values, "usable_password": "true"}
    )
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors == {"username": [said]}
    assert not User.objects.exclude(username__in=["olga", "tom"]).exists()


def test_no_name_looks_like_an_address_whoever_chooses_it() -> None:
    """Its account could be reached by nobody whose address it is, or who has it confirmed."""
    address, said = "ann@example.org", "A name may not contain @"
    assert said in sign_up(Client(), address).content.decode()
    with pytest.raises(CommandError, match=said):
        call_command("createsuperuser", interactive=False, username=address, email="")
    client, tom = operator(), User.objects.create_user("tom")
    given = {"username": address, "usable_password": "false"}
    assert said in client.post(reverse("admin:accounts_user_add"), given).content.decode()
    assert said in rename(client, tom, address)
    assert {user.username for user in User.objects.all()} == {"olga", "tom"}


def test_an_account_of_before_with_an_address_for_a_name_is_reached_by_it() -> None:
    """Whoever has confirmed that address comes in by the own name, or the address in other letters."""
    address = "Ann@example.org"
    old = User.objects.create_user(address, password="words of old")
    new = User.objects.create_user("ann", password="words of new")
    EmailAddress.objects.create(user=new, email=address.lower(), verified=True)
    old.full_clean()
    for login, password, account in (
        (address, "words of old", old),
        ("ann", "words of new", new),
        ("ann@example.org", "words of new", new),
    ):
        client = Client()
        client.post("/accounts/login/", {"login": login, "password": password})
        assert client.session.get("_auth_user_id") == str(account.pk), login


@pytest.mark.parametrize("name", ["t0m", "T0M", "torn", "tóm", "ТОМ", "Tom", "𝕥𝕠𝕞"])
def test_sign_up_refuses_a_name_that_looks_like_another_account_s(name: str) -> None:
    User.objects.create_user("tom")
    answer = sign_up(Client(), name)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert TAKEN in text or "already exists" in text
    assert User.objects.count() == 1
    sign_up(Client(), "tim")
    assert User.objects.filter(username="tim").exists()


def test_the_form_says_which_name_is_taken() -> None:
    User.objects.create_user("tom")
    form = sign_up(Client(), "t0m").context["form"]
    assert form.errors == {
        "username": ["“t0m”, or a name that looks like it, is taken. Choose another."]
    }


@pytest.mark.parametrize("name", ["deleted-10", "de1eted-l0", "DELETED-7", "déleted-x"])
def test_nobody_is_called_as_deleted_accounts_are(name: str) -> None:
    said = "Names that begin with “deleted-” are for deleted accounts."
    assert said in sign_up(Client(), name).content.decode()
    client, tom = operator(), User.objects.create_user("tom")
    assert said in rename(client, tom, name)
    given = {"username": name, "usable_password": "false"}
    assert said in client.post(reverse("admin:accounts_user_add"), given).content.decode()
    assert {user.username for user in User.objects.all()} == {"olga", "tom"}


def test_the_admin_neither_adds_nor_renames_to_such_a_name() -> None:
    tom, ann, client = User.objects.create_user("tom"), User.objects.create_user("ann"), operator()
    page = reverse("admin:accounts_user_add")
    given = {"username": "t0m", "usable_password": "false"}
    assert f"“t0m”, {TAKEN}" in client.post(page, given).content.decode()
    assert f"“t0m”, {TAKEN}" in rename(client, ann, "t0m")
    assert "“тom” mixes letters" in rename(client, ann, "тom")
    ann.refresh_from_db()
    assert (ann.username, User.objects.count()) == ("ann", 3)
    rename(client, tom, "T0m")  # one's own name, written otherwise
    tom.refresh_from_db()
    assert (tom.username, tom.skeleton, tom.holds_name) == ("T0m", "torn", True)
    rename(client, tom, "tim")
    rename(client, ann, "tom")
    ann.refresh_from_db()
    assert (ann.username, ann.skeleton) == ("tom", "torn")
    assert AuditEntry.objects.filter(action="user.changed", target_id=str(ann.pk)).exists()


@pytest.mark.parametrize(("name", "words"), [("t0m", TAKEN), ("тom", "mixes letters")])
def test_createsuperuser_refuses_it(name: str, words: str) -> None:
    User.objects.create_user("tom")
    with pytest.raises(CommandError, match=words):
        call_command("createsuperuser", interactive=False, username=name, email="")
    call_command("createsuperuser", interactive=False, username="ina", email="", verbosity=0)
    ina = User.objects.get(username="ina")
    assert ina.is_superuser
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.target_id, entry.actor) == ("user.added", str(ina.pk), None)
    assert entry.after == {"username": "ina", "email": "", "is_superuser": True}


def test_createsuperuser_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create_user("tom")
    answers = iter(["t0m", "ina", ""])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    monkeypatch.setattr("getpass.getpass", lambda *_: "a long walk home")
    told, terminal = StringIO(), SimpleNamespace(isatty=lambda: True)
    call_command("createsuperuser", stdin=terminal, stderr=told, stdout=told)
    assert f"Error: “t0m”, {TAKEN}" in told.getvalue()
    assert [*User.objects.order_by("pk").values_list("username", flat=True)] == ["tom", "ina"]


def test_the_database_holds_it_whoever_writes() -> None:
    User.objects.create_user("tom")
    with pytest.raises(IntegrityError, match="user_held_name_unique"), transaction.atomic():
        User.objects.create_user("t0m")
    ann = User.objects.create_user("ann")
    ann.username = "t0m"
    for columns in (None, ["username"]):
        with pytest.raises(IntegrityError, match="user_held_name_unique"), transaction.atomic():
            ann.save(update_fields=columns)
    with pytest.raises(IntegrityError, match="user_name_can_be_compared"), transaction.atomic():
        User.objects.bulk_create([User(username="tim")])


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_the_second_is_told() -> None:
    with waiting_for_us(lambda: sign_up(Client(), "t0m")) as answers:
        User.objects.create_user("tom")
    assert answers[0].status_code == 200
    assert answers[0].context["form"].errors["username"] == [
        "“t0m”, or a name that looks like it, is taken. Choose another."
    ]
    assert [user.username for user in User.objects.all()] == ["tom"]


@pytest.fixture
def of_before() -> list[User]:
    """Three accounts with names that look alike and one that does not, as sites of before have them."""
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX user_held_name_unique")
    users = [User.objects.create_user(name) for name in ("tom", "t0m", "torn", "ann")]
    User.objects.filter(username__in=["t0m", "torn"]).update(
        holds_name=False
    )  # the oldest holds it
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE UNIQUE INDEX user_held_name_unique ON accounts_user (skeleton) WHERE holds_name"
        )
    for user in users:
        user.refresh_from_db()
    return users


def test_accounts_that_look_alike_already_go_on(of_before: list[User]) -> None:
    assert [(user.skeleton, user.holds_name) for user in of_before] == [
        ("torn", True),
        ("torn", False),
        ("torn", False),
        ("ann", True),
    ]
    late = of_before[1]
    rename(operator(), late, "t0m", first_name="Thomas")  # anything else about it can be changed
    late.refresh_from_db()
    assert (late.first_name, late.holds_name) == ("Thomas", False)
    sign_up(Client(), "Tom")
    assert User.objects.filter(skeleton="torn").count() == 3


def test_the_operator_finds_them(of_before: list[User]) -> None:
    client = operator()
    page = reverse("admin:accounts_user_changelist")
    listed = client.get(page, {"alike": "accounts"}).context["cl"].result_list
    assert [user.username for user in listed] == ["tom", "t0m", "torn"]
    told = StringIO()
    call_command("repair", stdout=told)
    assert "Accounts whose names look alike: 3." in told.getvalue()
    rename(client, of_before[1], "tobias")
    rename(client, of_before[0], "tim")
    assert [finding.what for finding in findings()] == []
    assert not client.get(page, {"alike": "accounts"}).context["cl"].result_list
    renamed = User.objects.get(username="tobias")
    assert (renamed.skeleton, renamed.holds_name) == ("toblas", True)


def test_players_of_accounts_that_look_alike_are_found_too() -> None:
    game = Game.objects.create(slug="go", name="Go")
    for number, name in enumerate(["Tom", "T0m"]):
        user = User.objects.create_user(f"account {number}")
        columns = name_columns(name)
        Player.objects.create(
            game=game, external_id=name, user=user, holds_name=not number, **columns
        )
    [finding] = findings()
    assert "whose names look alike: 2." in finding.what


def test_who_has_just_signed_up_is_told_of_the_account_in_one_sentence() -> None:
    client = Client()
    values = {"username": "new.player", "password1": "wG7!hq2ZpL", "password2": "wG7!hq2ZpL"}
    text = client.post("/accounts/signup/", values, follow=True).text
    assert "Your account is ready, and you&#x27;re signed in as new.player." in text
    assert "Successfully" not in text
    for page in ("/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/add/"):
        assert client.get(page).status_code == 200  # the password was typed just now
    answer = client.post("/accounts/delete/", {"name": "somebody else"})
    assert answer.status_code == 200
    client.post("/accounts/logout/")
    values = {"login": "new.player", "password": "wG7!hq2ZpL"}
    assert "Your account is ready" not in client.post("/accounts/login/", values, follow=True).text
