"""Addresses at which a page of ours stands in for one of django-allauth."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts.entrance import views

urlpatterns = [
    # Its list of sign-ins: ours is on the page of everything that opens the account.
    path(
        "sessions/", RedirectView.as_view(pattern_name="account-security"), name="usersessions_list"
    ),
    path("signup/", views.SignupView.as_view(), name="account_signup"),
    path("email/", views.AddressesView.as_view(), name="account_email"),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$",
        views.ConfirmView.as_view(),
        name="account_confirm_email",
    ),
    path("password/reset/", views.PasswordResetView.as_view(), name="account_reset_password"),
    path("password/reset/done/", views.ResetDoneView.as_view(), name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.ResetFromKeyView.as_view(),
        name="account_reset_password_from_key",
    ),
]
