"""The routes of school data."""

from django.urls import URLPattern, path, register_converter

from schoolproxy.api import (
    assessments,
    assignments,
    attendance,
    calendar,
    calendar_items,
    children,
    done,
    exams,
    inbox,
    lunch,
    missing,
    news,
    people,
    plannings,
    results,
    schedule,
    school_pages,
    subjects,
    watch,
)
from schoolproxy.api.upstream_ids import UpstreamId
from wrapper_project.content_policy import school_file

register_converter(UpstreamId, "upstream_id")

urlpatterns: list[URLPattern] = [
    path("api/children", children.ChildrenView.as_view(), name="children"),
    path("api/children/default", children.DefaultChildView.as_view(), name="children-default"),
    path("api/schedule", schedule.ScheduleView.as_view(), name="schedule"),
    path("api/lunch", lunch.LunchView.as_view(), name="lunch"),
    path("api/news", news.NewsView.as_view(), name="news"),
    path("api/news/articles", news.ArticlesView.as_view(), name="articles"),
    path("api/news/<upstream_id:number>", news.ArticleView.as_view(), name="article"),
    path(
        "api/news/<upstream_id:number>/attachments/<upstream_id:file>",
        school_file(news.ArticleFileView.as_view()),
        name="article-file",
    ),
    path("api/inbox", inbox.InboxView.as_view(), name="inbox"),
    path("api/inbox/<upstream_id:number>", inbox.InboxMessageView.as_view(), name="inbox-message"),
    path(
        "api/inbox/<upstream_id:number>/attachments/<upstream_id:file>",
        school_file(inbox.InboxFileView.as_view()),
        name="inbox-file",
    ),
    path("api/features", school_pages.FeaturesView.as_view(), name="features"),
    path("api/school/staff", school_pages.StaffView.as_view(), name="school-staff"),
    path("api/files", school_pages.FilesView.as_view(), name="files"),
    path(
        "api/files/<upstream_id:number>",
        school_file(school_pages.LibraryFileView.as_view()),
        name="file",
    ),
    path("api/subjects", subjects.SubjectListView.as_view(), name="subjects"),
    path("api/subjects/<upstream_id:room>", subjects.SubjectView.as_view(), name="subject"),
    path(
        "api/assignments/week", assignments.WeekAssignmentsView.as_view(), name="assignments-week"
    ),
    path(
        "api/assignment/<upstream_id:number>",
        assignments.AssignmentView.as_view(),
        name="assignment",
    ),
    path(
        "api/assignments/<upstream_id:number>/done",
        done.DoneView.as_view(),
        name="assignment-done",
    ),
    path("api/attendance", attendance.AttendanceView.as_view(), name="attendance"),
    path("api/calendar", calendar_items.CalendarView.as_view(), name="calendar"),
    path("api/exams", exams.ExamsView.as_view(), name="exams"),
    path("api/missing", missing.MissingView.as_view(), name="missing"),
    path("api/results", results.ResultsView.as_view(), name="results"),
    path("api/assessments", assessments.AssessmentsView.as_view(), name="assessments"),
    path(
        "api/assessments/<upstream_id:number>",
        assessments.AssessmentView.as_view(),
        name="assessment",
    ),
    path("api/plannings/week", plannings.WeekPlanningsView.as_view(), name="plannings-week"),
    path("api/plannings/<upstream_id:number>", plannings.PlanningView.as_view(), name="planning"),
    path(
        "api/plannings/<upstream_id:number>/attachments/<upstream_id:file>",
        school_file(plannings.PlanningFileView.as_view()),
        name="planning-file",
    ),
    path("api/people/class", people.ClassView.as_view(), name="class"),
    path("api/schedule.ics", calendar.ScheduleCalendarView.as_view(), name="schedule-calendar"),
    path("api/schedule/feed", calendar.FeedAddressView.as_view(), name="schedule-feed"),
    path("api/schedule/changes", watch.ScheduleChangesView.as_view(), name="schedule-changes"),
    path("api/watch", watch.WatchView.as_view(), name="watch"),
    path("feeds/<slug:token>.ics", calendar.FeedView.as_view(), name="feed"),
]
