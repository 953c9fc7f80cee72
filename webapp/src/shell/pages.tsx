/** Every page and its path. Only the first page and the chats come with the app; the rest is loaded when needed. */

import { Route, Router } from "preact-iso";
import { NotFound } from "../pages/not_found";
import { Today } from "../pages/today";
import { PageErrors } from "./page_failed";
import { whenNeeded } from "./when_needed";

const Week = whenNeeded(() => import("../pages/week"));
const Assignment = whenNeeded(() => import("../pages/assignment"));
const News = whenNeeded(() => import("../pages/school/news"));
const Article = whenNeeded(() => import("../pages/school/article"));
const Inbox = whenNeeded(() => import("../pages/school/inbox"));
const InboxMessage = whenNeeded(() => import("../pages/school/inbox_message"));
const Results = whenNeeded(() => import("../pages/school/results"));
const Assessments = whenNeeded(() => import("../pages/school/assessments"));
const Assessment = whenNeeded(() => import("../pages/school/assessment"));
const Subjects = whenNeeded(() => import("../pages/school/subjects"));
const Subject = whenNeeded(() => import("../pages/school/subject"));
const Planning = whenNeeded(() => import("../pages/school/planning"));
const Attendance = whenNeeded(() => import("../pages/school/attendance"));
const Todo = whenNeeded(() => import("../pages/school/todo"));
const CalendarFeed = whenNeeded(() => import("../pages/school/calendar_feed"));
const Staff = whenNeeded(() => import("../pages/school/staff"));
const Files = whenNeeded(() => import("../pages/school/files"));
const ClassList = whenNeeded(() => import("../pages/school/class_list"));
const Chats = whenNeeded(() => import("../pages/chat/chats"));
const NewChat = whenNeeded(() => import("../pages/chat/new_chat"));
const Conversation = whenNeeded(() => import("../pages/chat/conversation"));
const AboutConversation = whenNeeded(() => import("../pages/chat/about"));
const People = whenNeeded(() => import("../pages/people/people"));
const Person = whenNeeded(() => import("../pages/people/person"));
const Notes = whenNeeded(() => import("../pages/notes/notes"));
const Note = whenNeeded(() => import("../pages/notes/note"));
const Notifications = whenNeeded(() => import("../pages/notifications"));
const Countdowns = whenNeeded(() => import("../pages/countdowns"));
const More = whenNeeded(() => import("../pages/more"));
const SearchPage = whenNeeded(() => import("../pages/search"));
const Share = whenNeeded(() => import("../pages/share"));
const Settings = whenNeeded(() => import("../pages/settings/settings"));
const Profile = whenNeeded(() => import("../pages/settings/profile"));
const Privacy = whenNeeded(() => import("../pages/settings/privacy"));
const NotificationSettings = whenNeeded(() => import("../pages/settings/notification_settings"));
const Devices = whenNeeded(() => import("../pages/settings/sessions"));
const Blocked = whenNeeded(() => import("../pages/settings/blocked"));
const Account = whenNeeded(() => import("../pages/settings/account"));
const Children = whenNeeded(() => import("../pages/settings/children"));

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
