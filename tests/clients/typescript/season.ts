// A game's server with types generated for TypeScript: players, a match, its result, a search. Compiled strictly.
import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";

type Problem = components["schemas"]["ProblemBody"];

declare const process: { env: Record<string, string | undefined> };

const client = createClient<paths>({
  baseUrl: process.env["API"] ?? "",
  headers: { Authorization: `Bearer ${process.env["KEY"] ?? ""}` },
});

function sure<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const me = sure(await client.GET("/me"));
check(me.game === "go" && me.player === null, "me");
for (const name of ["ann", "bob"]) {
  const path = { external_id: name };
  const enrolled = sure(
    await client.PUT("/players/by-external-id/{external_id}", { params: { path }, body: { name } }),
  );
  check(enrolled.external_id === name, "enrolled");
}

// What may be left out is left out.
const teams = [["ann"], ["bob"]];
const begun = sure(await client.POST("/matches", { body: { ladder: "duel", teams } }));
const path = { match_id: begun.id };
const ranks = [0, 1];
for (let time = 0; time < 2; time++) {
  const ended = sure(
    await client.POST("/matches/{match_id}/result", { params: { path }, body: { ranks, scores: [3, 1] } }),
  );
  check(ended.state === "confirmed", "ended");
}
const late = await client.POST("/matches/{match_id}/result", { params: { path }, body: { ranks, scores: [4, 1] } });
const problem: Problem | undefined = late.error;
check(late.response.status === 409 && problem?.code === "match_decided", "late");
const match = sure(await client.GET("/matches/{match_id}", { params: { path } }));
check(match.teams.map((team) => team.outcome).join() === "won,lost", "outcomes");

const played = {
  ladder: "duel",
  external_id: "evening-2",
  teams: [["bob"], ["ann"]],
  ranks,
  played_at: "2026-01-02T20:15:00Z",
};
const batch = sure(await client.POST("/results", { body: { results: [played] } }));
check(batch.created === 1 && batch.refused === 0, "batch");
const board = sure(await client.GET("/ladders/{slug}/leaderboard", { params: { path: { slug: "duel" } } }));
check(board.ladder === "duel", "board");

const search = { queue: "duel", player: "ann", languages: ["de"] };
const ticket = sure(await client.POST("/tickets", { body: search }));
check(ticket.state === "waiting", "waiting");
const cancelled = sure(
  await client.POST("/tickets/{ticket_id}/cancel", { params: { path: { ticket_id: ticket.id } }, body: {} }),
);
check(cancelled.state === "cancelled", "cancelled");
console.log("the season is over");
