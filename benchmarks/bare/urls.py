"""The site's addresses and one more."""

from django.urls import path

from benchmarks.bare.rows import RowsView
from config.urls import urlpatterns as site

urlpatterns = [path("bare", RowsView.as_view()), *site]
