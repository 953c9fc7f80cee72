/** Every page and its path. Only the first page and the chats come with the app; the rest is loaded when needed. */

import { ErrorBoundary, lazy, Route, Router } from "preact-iso";
import { NotFound } from "../pages/not_found";
import { Today } from "../pages/today";

const Week = lazy(() => import("../pages/week"));
const Assignment = lazy(() => import("../pages/assignment"));
const News = lazy(() => import("../pages/school/news"));
const Article = lazy(() => import("../pages/school/article"));
const Inbox = lazy(() => import("../pages/school/inbox"));
const InboxMessage = lazy(() => import("../pages/school/inbox_message"));
const Subjects = lazy(() => import("../pages/school/subjects"));
const Subject = lazy(() => import("../pages/school/subject"));
const ClassList = lazy(() => import("../pages/school/class_list"));
const Chats = lazy(() => import("../pages/chat/chats"));
const NewChat = lazy(() => import("../pages/chat/new_chat"));
const Conversation = lazy(() => import("../pages/chat/conversation"));
const AboutConversation = lazy(() => import("../pages/chat/about"));
const People = lazy(() => import("../pages/people/people"));
const Person = lazy(() => import("../pages/people/person"));
const Notes = lazy(() => import("../pages/notes/notes"));
const Note = lazy(() => import("../pages/notes/note"));
const Notifications = lazy(() => import("../pages/notifications"));
const Countdowns = lazy(() => import("../pages/countdowns"));
const More = lazy(() => import("../pages/more"));
const Settings = lazy(() => import("../pages/settings/settings"));
const Profile = lazy(() => import("../pages/settings/profile"));
const Privacy = lazy(() => import("../pages/settings/privacy"));
const NotificationSettings = lazy(() => import("../pages/settings/notification_settings"));
const Devices = lazy(() => import("../pages/settings/sessions"));
const Blocked = lazy(() => import("../pages/settings/blocked"));
const Account = lazy(() => import("../pages/settings/account"));
const Children = lazy(() => import("../pages/settings/children"));

export function Pages() {
  return (
    <ErrorBoundary onError={reloadOnceForNewVersion}>
      <Router>
        <Route path="/app" component={Today} />
        <Route path="/app/week" component={Week} />
        <Route path="/app/assignments/:id" component={Assignment} />
        <Route path="/app/news" component={News} />
        <Route path="/app/news/:id" component={Article} />
        <Route path="/app/inbox" component={Inbox} />
        <Route path="/app/inbox/:id" component={InboxMessage} />
        <Route path="/app/subjects" component={Subjects} />
        <Route path="/app/subjects/:id" component={Subject} />
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
    </ErrorBoundary>
  );
}

/** A file of a page that is gone belongs to an older version of the app than the one that is there now. */
function reloadOnceForNewVersion(error: Error): void {
  if (!/import|fetch|module/i.test(error.message)) throw error;
  const last = Number(sessionStorage.getItem("reloaded-at") ?? 0);
  if (!navigator.onLine || Date.now() - last < 60_000) return;
  sessionStorage.setItem("reloaded-at", String(Date.now()));
  location.reload();
}
