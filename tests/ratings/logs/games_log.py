"""Logs of the Quake 3 family, written for the tests; what is in them was counted by hand."""

DEATHMATCH = r"""  0:00 ------------------------------------------------------------
  0:00 InitGame: \sv_hostname\Duel Arena\g_gametype\0\mapname\q3dm17\timelimit\10
  0:01 ClientConnect: 0
  0:01 ClientUserinfoChanged: 0 n\^1Ann^7\t\0\model\sarge\hmodel\sarge
  0:01 ClientBegin: 0
  0:02 ClientConnect: 1
  0:02 ClientUserinfoChanged: 1 n\Ben "the \\ rail"\t\0\model\keel
  0:02 ClientBegin: 1
  0:03 ClientUserinfoChanged: 2 n\Crash\t\0\skill\    4.00\model\crash
  0:10 Item: 0 weapon_rocketlauncher
  0:20 Kill: 0 1 6: Ann killed Ben by MOD_ROCKET
  0:31 Kill: 1 0 10: Ben killed Ann by MOD_RAILGUN
  0:45 Kill: 2 0 1: Crash killed Ann by MOD_SHOTGUN
  0:50 Kill: 1022 1 19: <world> killed Ben by MOD_FALLING
  1:02 Kill: 0 0 7: Ann killed Ann by MOD_ROCKET_SPLASH
  1:10 say: Ann: Kill: 0 1 6: I killed nobody
  1:20 Kill: 0 2 10: Ann killed Crash by MOD_RAILGUN
  2:00 ClientDisconnect: 1
  2:30 Exit: Timelimit hit.
  2:30 score: 1  ping: 40  client: 0 Ann
  2:30 score: 2  ping: 0  client: 2 Crash
  2:31 ShutdownGame:
  2:31 ------------------------------------------------------------
"""
# Of it: begin, joins of Ann, Ben and the bot; 3 frags, of which two with the bot; a fall, a suicide, Ben leaves; end.
IN_DEATHMATCH = {"begin": 1, "join": 3, "frag": 5, "suicide": 1, "leave": 1, "end": 1}

CAPTURE = r"""  0:00 InitGame: \g_gametype\4\mapname\q3ctf1
  0:01 ClientUserinfoChanged: 0 n\Ann\t\1\model\sarge
  0:01 ClientUserinfoChanged: 1 n\Ben\t\2\model\keel
  0:01 ClientUserinfoChanged: 2 n\Cat\t\1\model\keel
  0:01 ClientUserinfoChanged: 3 n\Dan\t\3\model\keel
  0:20 Kill: 0 1 6: Ann killed Ben by MOD_ROCKET
  0:30 Kill: 0 2 6: Ann killed Cat by MOD_ROCKET
  0:40 CTF: 0 1 0: Ann got the BLUE flag!
  0:50 CTF: 0 1 1: Ann captured the BLUE flag!
  1:00 ClientUserinfoChanged: 2 n\Cat\t\2\model\keel
  1:10 Kill: 0 2 6: Ann killed Cat by MOD_ROCKET
  2:30 Exit: Capturelimit hit.
  2:30 red:1  blue:0
  2:30 score: 9  ping: 40  client: 0 Ann
  2:31 ShutdownGame:
"""
# Of it: begin, joins of Ann, Ben and Cat (Dan looks on), Cat once more on the other team; two frags, a team kill, a
# capture; end.
IN_CAPTURE = {"begin": 1, "join": 4, "frag": 2, "team_kill": 1, "capture": 1, "end": 1}
