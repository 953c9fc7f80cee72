/** Prints the lessons of a week: npm run week USERNAME [WEEK] */

import { good, readArguments, run, signIn } from "./session.js";

async function main(): Promise<void> {
  const [username = "", week] = readArguments("USERNAME");
  const { client } = await signIn(username);
  const query = week === undefined ? {} : { week: Number(week) };
  const answer = await good(client.GET("/api/schedule", { params: { query } }));

  console.log(`Week ${answer.week}`);
  if (answer.stale) console.log("The school's system does not answer. This is an older copy.");
  let day = "";
  for (const lesson of answer.schedule) {
    const [date = "", start = ""] = lesson.startDate.split("T");
    if (date !== day) console.log(`\n${weekday(date)} ${date}`);
    day = date;
    const hours = `${start}-${lesson.endDate?.slice(11) ?? ""}`;
    // The fields of the school's system, unchanged. Most of them may be missing.
    const parts = [hours, lesson.description || lesson.name, lesson.room, lesson.teacher];
    console.log(`  ${parts.filter(Boolean).join("  ")}`);
  }
}

function weekday(date: string): string {
  return new Date(date).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
}

await run(main);
