"""Names of accounts: nobody hides in them."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db


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
