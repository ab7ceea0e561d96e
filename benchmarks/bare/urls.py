"""The site's addresses and two more: what inserts a row, and the frame of every page with nothing in it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from benchmarks.bare.rows import RowsView
from config.urls import urlpatterns as site


def bare_page(request: HttpRequest) -> HttpResponse:
    """Template, session, header, and the bar of whoever is signed in."""
    return render(request, "base.html")


urlpatterns = [path("bare", RowsView.as_view()), path("bare-page", bare_page), *site]
