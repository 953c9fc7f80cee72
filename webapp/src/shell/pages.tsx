/** Every page and its path. Only the first page and the chats come with the app; the rest is loaded when needed. */

import type { ComponentType } from "preact";
import { lazy, Route, Router } from "preact-iso";
import { reloadForNewVersion } from "../lib/new_version";
import { NotFound } from "../pages/not_found";
import { Today } from "../pages/today";
import { PageErrors, PageFailed } from "./page_failed";

const Week = page(() => import("../pages/week"));
const Assignment = page(() => import("../pages/assignment"));
const News = page(() => import("../pages/school/news"));
const Article = page(() => import("../pages/school/article"));
const Inbox = page(() => import("../pages/school/inbox"));
const InboxMessage = page(() => import("../pages/school/inbox_message"));
const Results = page(() => import("../pages/school/results"));
const Assessments = page(() => import("../pages/school/assessments"));
const Assessment = page(() => import("../pages/school/assessment"));
const Subjects = page(() => import("../pages/school/subjects"));
const Subject = page(() => import("../pages/school/subject"));
const Planning = page(() => import("../pages/school/planning"));
const Attendance = page(() => import("../pages/school/attendance"));
const Todo = page(() => import("../pages/school/todo"));
const CalendarFeed = page(() => import("../pages/school/calendar_feed"));
const Staff = page(() => import("../pages/school/staff"));
const Files = page(() => import("../pages/school/files"));
const ClassList = page(() => import("../pages/school/class_list"));
const Chats = page(() => import("../pages/chat/chats"));
const NewChat = page(() => import("../pages/chat/new_chat"));
const Conversation = page(() => import("../pages/chat/conversation"));
const AboutConversation = page(() => import("../pages/chat/about"));
const People = page(() => import("../pages/people/people"));
const Person = page(() => import("../pages/people/person"));
const Notes = page(() => import("../pages/notes/notes"));
const Note = page(() => import("../pages/notes/note"));
const Notifications = page(() => import("../pages/notifications"));
const Countdowns = page(() => import("../pages/countdowns"));
const More = page(() => import("../pages/more"));
const SearchPage = page(() => import("../pages/search"));
const Share = page(() => import("../pages/share"));
const Settings = page(() => import("../pages/settings/settings"));
const Profile = page(() => import("../pages/settings/profile"));
const Privacy = page(() => import("../pages/settings/privacy"));
const NotificationSettings = page(() => import("../pages/settings/notification_settings"));
const Devices = page(() => import("../pages/settings/sessions"));
const Blocked = page(() => import("../pages/settings/blocked"));
const Account = page(() => import("../pages/settings/account"));
const Children = page(() => import("../pages/settings/children"));

export function Pages() {
  return (
    <PageErrors>
      <Router>
        <Route path="/app" component={Today} />
        <Route path="/app/week" component={Week} />
        <Route path="/app/assignments/:id" component={Assignment} />
        <Route path="/app/news" component={News} />
        <Route path="/app/news/:id" component={Article} />
        <Route path="/app/inbox" component={Inbox} />
        <Route path="/app/inbox/:id" component={InboxMessage} />
        <Route path="/app/results" component={Results} />
        <Route path="/app/assessments" component={Assessments} />
        <Route path="/app/assessments/:id" component={Assessment} />
        <Route path="/app/subjects" component={Subjects} />
        <Route path="/app/subjects/:id" component={Subject} />
        <Route path="/app/plannings/:id" component={Planning} />
        <Route path="/app/todo" component={Todo} />
        <Route path="/app/attendance" component={Attendance} />
        <Route path="/app/calendar" component={CalendarFeed} />
        <Route path="/app/staff" component={Staff} />
        <Route path="/app/files" component={Files} />
        <Route path="/app/class" component={ClassList} />
        <Route path="/app/chats" component={Chats} />
        <Route path="/app/chats/new" component={NewChat} />
        <Route path="/app/chats/:id" component={Conversation} />
        <Route path="/app/chats/:id/about" component={AboutConversation} />
        <Route path="/app/people" component={People} />
        <Route path="/app/people/:username" component={Person} />
        <Route path="/app/notes" component={Notes} />
        <Route path="/app/notes/:id" component={Note} />
        <Route path="/app/notifications" component={Notifications} />
        <Route path="/app/countdowns" component={Countdowns} />
        <Route path="/app/more" component={More} />
        <Route path="/app/search" component={SearchPage} />
        <Route path="/app/share" component={Share} />
        <Route path="/app/settings" component={Settings} />
        <Route path="/app/settings/profile" component={Profile} />
        <Route path="/app/settings/privacy" component={Privacy} />
        <Route path="/app/settings/notifications" component={NotificationSettings} />
        <Route path="/app/settings/sessions" component={Devices} />
        <Route path="/app/settings/blocked" component={Blocked} />
        <Route path="/app/settings/account" component={Account} />
        <Route path="/app/settings/children" component={Children} />
        <Route default component={NotFound} />
      </Router>
    </PageErrors>
  );
}

/** A page with a file of its own. When it does not come, there is a newer version, or a page that says so. */
function page(load: () => Promise<{ default: ComponentType }>): ComponentType {
  return lazy(() =>
    load().catch((error: unknown) => {
      console.warn(error);
      // The page that is left stays until the new one is there.
      return reloadForNewVersion() ? new Promise<never>(() => undefined) : { default: () => <PageFailed /> };
    }),
  );
}
