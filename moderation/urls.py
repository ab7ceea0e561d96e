"""Addresses of the desk, and of what players ask of it."""

from django.urls import path

from moderation.views import desk, players, rooms

urlpatterns = [
    path("desk/", desk.desk, name="desk"),
    path("desk/cases/<id:pk>/", desk.show_case, name="desk-case"),
    path("desk/cases/<id:pk>/take/", desk.take_case, name="desk-take"),
    path("desk/cases/<id:pk>/release/", desk.release_case, name="desk-release"),
    path("desk/cases/<id:pk>/decide/", desk.decide_case, name="desk-decide"),
    path("desk/decisions/<id:pk>/undo/", desk.undo_decision, name="desk-undo"),
    path("desk/rooms/", rooms.desk_rooms, name="desk-rooms"),
    path("desk/rooms/<id:pk>/", rooms.show_room, name="desk-room"),
    path("desk/rooms/<id:pk>/close/", rooms.close_room, name="desk-close-room"),
    path("desk/<slug:queue>/", desk.desk, name="desk-queue"),
    path("reports/", players.own_cases, name="own-cases"),
    path("reports/players/<id:pk>/", players.report, name="report-player"),
    path("reports/names/<id:pk>/", players.change_name, name="change-name"),
    path("appeals/sanctions/<id:pk>/", players.appeal_sanction, name="appeal-sanction"),
    path("appeals/names/<id:pk>/", players.appeal_name, name="appeal-name"),
]
