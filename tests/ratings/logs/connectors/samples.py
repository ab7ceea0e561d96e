"""Logs of the Half-Life family, written for the tests; what is in them was counted by hand.

Steam ids of Ann, Ben and Cat are those of accounts 11, 12 and 13.
"""

ANN, BEN, CAT = (str(76561197960265728 + account) for account in (11, 12, 13))

# Counter-Strike 2, as it comes by HTTP. A warmup, then a match of three rounds.
CS2 = """\
12/01/2026 - 20:00:00.000 - Loading map "de_canyon"
12/01/2026 - 20:00:01.000 - Started map "de_canyon"
12/01/2026 - 20:00:02.000 - World triggered "Warmup_Start"
12/01/2026 - 20:00:03.000 - "Ann<1><[U:1:11]><>" entered the game
12/01/2026 - 20:00:03.100 - "Ann<1><[U:1:11]>" switched from team <Unassigned> to <CT>
12/01/2026 - 20:00:03.200 - "Ben<2><[U:1:12]>" switched from team <Unassigned> to <TERRORIST>
12/01/2026 - 20:00:04.000 - "Ann<1><[U:1:11]><CT>" [0 1 -2] killed "Ben<2><[U:1:12]><TERRORIST>" [3 4 5] with "hkp2000"
12/01/2026 - 20:00:10.000 - World triggered "Warmup_End"
12/01/2026 - 20:00:10.010 - World triggered "Match_Start" on "de_canyon"
12/01/2026 - 20:00:10.020 - World triggered "Round_Start"
12/01/2026 - 20:00:20.000 - "Ann<1><[U:1:11]><CT>" [1 1] killed "Ben<2><[U:1:12]><TERRORIST>" [3] with "ak47" (headshot)
12/01/2026 - 20:00:21.000 - "Ann<1><[U:1:11]><CT>" [1 1 -2] killed "Max<5><BOT><TERRORIST>" [3 4 5] with "m4a1"
12/01/2026 - 20:00:21.500 - "Ann<1><[U:1:11]><CT>" [1 1 -2] killed other "chicken<112>" [3 4 5] with "m4a1"
12/01/2026 - 20:00:22.000 - Team "CT" triggered "SFUI_Notice_CTs_Win" (CT "1") (T "0")
12/01/2026 - 20:00:22.100 - World triggered "Round_End"
12/01/2026 - 20:00:40.000 - "Ben<2><[U:1:12]><TERRORIST>" [3 4 5] attacked "Ann<1><[U:1:11]><CT>" [1 1 -2] with "awp"
12/01/2026 - 20:00:41.000 - "Ben<2><[U:1:12]><TERRORIST>" [3 4 5] killed "Ann<1><[U:1:11]><CT>" [1 1 -2] with "awp"
12/01/2026 - 20:00:42.000 - "Max<5><BOT><TERRORIST>" assisted killing "Ann<1><[U:1:11]><CT>"
12/01/2026 - 20:00:43.000 - Team "TERRORIST" triggered "SFUI_Notice_Terrorists_Win" (CT "1") (T "1")
12/01/2026 - 20:00:50.000 - "Cat<3><[U:1:13]>" switched from team <Unassigned> to <CT>
12/01/2026 - 20:00:55.000 - "Ann<1><[U:1:11]><CT>" say "12/01/2026 - 20:00:55.000 - I won"
12/01/2026 - 20:01:00.000 - "Cat<3><[U:1:13]><CT>" [0 0 0] killed "Ann<1><[U:1:11]><CT>" [1 1 1] with "knife"
12/01/2026 - 20:01:01.000 - "Ben<2><[U:1:12]><TERRORIST>" [3 4 5] committed suicide with "world"
12/01/2026 - 20:01:02.000 - Team "CT" triggered "SFUI_Notice_Target_Saved" (CT "2") (T "1")
12/01/2026 - 20:01:05.000 - "Cat<3><[U:1:13]><CT>" disconnected (reason "Disconnect")
12/01/2026 - 20:01:10.000 - Game Over: competitive mg_active de_canyon score 2:1 after 1 min
12/01/2026 - 20:01:12.000 - "Ben<2><[U:1:12]><TERRORIST>" [3 4 5] killed "Ann<1><[U:1:11]><CT>" [1 1 -2] with "awp"
"""
# Of it: Ann, Ben, the bot and Cat join, the bot by being killed; three frags, of which one of the bot; a team kill, a
# suicide, three rounds; Cat leaves; the end. Frags before and after it count nothing.
IN_CS2 = {
    "begin": 1,
    "join": 4,
    "frag": 3,
    "team_kill": 1,
    "suicide": 1,
    "round": 3,
    "leave": 1,
    "end": 1,
}

# Team Fortress 2, as it comes by UDP.
TF2 = """\
L 12/01/2026 - 20:00:00: Started map "ctf_valley" (CRC "17")
L 12/01/2026 - 20:00:05: "Ann<3><[U:1:11]><>" connected, address "192.0.2.7:27005"
L 12/01/2026 - 20:00:06: "Ann<3><[U:1:11]><Unassigned>" joined team "Red"
L 12/01/2026 - 20:00:07: "Ben<4><[U:1:12]><Unassigned>" joined team "Blue"
L 12/01/2026 - 20:00:30: "Ann<3><[U:1:11]><Red>" killed "Ben<4><[U:1:12]><Blue>" with "bow" (customkill "headshot")
L 12/01/2026 - 20:00:40: "Ann<3><[U:1:11]><Red>" triggered "flagevent" (event "picked up") (position "1 2 3")
L 12/01/2026 - 20:00:50: "Ann<3><[U:1:11]><Red>" triggered "flagevent" (event "captured") (position "1 2 3")
L 12/01/2026 - 20:00:51: World triggered "Round_Win" (winner "Red")
L 12/01/2026 - 20:00:52: Team "Red" current score "1" with "1" players
L 12/01/2026 - 20:01:00: "Ben<4><[U:1:12]><Blue>" joined team "Spectator"
L 12/01/2026 - 20:01:05: "Ann<3><[U:1:11]><Red>" changed name to "Annabel"
L 12/01/2026 - 20:01:10: "Annabel<3><[U:1:11]><Red>" committed suicide with "world" (attacker_position "1 2 3")
L 12/01/2026 - 20:01:20: World triggered "Game_Over" reason "Reached Win Limit"
L 12/01/2026 - 20:01:20: Team "Red" final score "1" with "1" players
L 12/01/2026 - 20:01:20: Team "Blue" final score "0" with "0" players
L 12/01/2026 - 20:01:21: "Annabel<3><[U:1:11]><Red>" killed "Ben<4><[U:1:12]><Blue>" with "bat"
L 12/01/2026 - 20:01:30: Log file closed
"""
IN_TF2 = {
    "begin": 1,
    "join": 2,
    "frag": 1,
    "capture": 1,
    "round": 1,
    "leave": 1,
    "suicide": 1,
    "end": 1,
}

# Half-Life deathmatch: ids of the second form, models in the place of teams.
HALF_LIFE = """\
L 12/01/2026 - 20:00:00: Log file started (file "logs/L1201000.log") (game "valve") (version "48/1.1.2.7")
L 12/01/2026 - 20:00:00: Loading map "crossfire"
L 12/01/2026 - 20:00:00: Server cvars start
L 12/01/2026 - 20:00:05: "Ann<1><STEAM_0:1:5><>" entered the game
L 12/01/2026 - 20:00:10: "Ann<1><STEAM_0:1:5><gordon>" killed "Ben<2><STEAM_0:0:6><gordon>" with "crossbow"
L 12/01/2026 - 20:00:10: "Ann<1><STEAM_0:1:5><gordon>" killed "Ben<2><STEAM_0:0:6><gordon>" with "tau_cannon"
L 12/01/2026 - 20:00:20: "Guest<7><STEAM_ID_LAN><gina>" killed "Ann<1><STEAM_0:1:5><gordon>" with "grenade"
L 12/01/2026 - 20:00:30: "Ben<2><STEAM_0:0:6><gordon>" committed suicide with "worldspawn" (world)
L 12/01/2026 - 20:00:40: Loading map "stalkyard"
"""
IN_HALF_LIFE = {"begin": 1, "join": 3, "frag": 3, "suicide": 1, "end": 1}
