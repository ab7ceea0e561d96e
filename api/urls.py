"""Addresses of the REST API, version 1."""

from django.urls import path, re_path

from api import views

app_name = "api"
urlpatterns = [
    path("", views.IndexView.as_view(), name="index"),
    path("schema", views.SchemaView.as_view(), name="schema"),
    path("docs/", views.DocsView.as_view(), name="docs"),
    path("problems/", views.problems, name="problems"),
    path("problems/<slug:code>", views.problem, name="problem"),
    re_path(r"^.*$", views.UnknownView.as_view(), name="unknown"),
]
