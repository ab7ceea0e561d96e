"""Addresses at which a page of ours stands in for one of django-allauth."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts.entrance import confirming, views
from accounts.factors import views as factors

urlpatterns = [
    # Its list of sign-ins: ours is on the page of everything that opens the account.
    path(
        "sessions/", RedirectView.as_view(pattern_name="account-security"), name="usersessions_list"
    ),
    path("reauthenticate/", confirming.ByPasswordView.as_view(), name="account_reauthenticate"),
    path("2fa/reauthenticate/", confirming.ByCodeView.as_view(), name="mfa_reauthenticate"),
    path(
        "2fa/webauthn/reauthenticate/",
        confirming.ByPasskeyView.as_view(),
        name="mfa_reauthenticate_webauthn",
    ),
    path("2fa/", factors.FactorsView.as_view(), name="mfa_index"),
    path("2fa/authenticate/", factors.SecondStepView.as_view(), name="mfa_authenticate"),
    path("2fa/totp/activate/", factors.ActivateAppView.as_view(), name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", factors.DeactivateAppView.as_view(), name="mfa_deactivate_totp"),
    path("2fa/webauthn/add/", factors.AddPasskeyView.as_view(), name="mfa_add_webauthn"),
    path(
        "2fa/webauthn/",
        RedirectView.as_view(pattern_name="mfa_index"),
        name="mfa_list_webauthn",
    ),
    path(
        "2fa/webauthn/keys/<id:pk>/remove/",
        factors.RemovePasskeyView.as_view(),
        name="mfa_remove_webauthn",
    ),
    path(
        "2fa/recovery-codes/generate/",
        factors.RenewCodesView.as_view(),
        name="mfa_generate_recovery_codes",
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
