"""Django's admin with the site of Evenmatch in place of its own."""

from django.contrib.admin.apps import AdminConfig


class EvenmatchAdminConfig(AdminConfig):
    """Stands in INSTALLED_APPS for `django.contrib.admin`."""

    default_site = "config.admin_site.EvenmatchAdminSite"
