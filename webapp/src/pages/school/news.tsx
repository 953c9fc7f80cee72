import { inLanguage } from "../../lib/language";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { useNews } from "../../school/resources";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: { title: "News from school", none: "There is no news." },
  sv: { title: "Nytt från skolan", none: "Det finns inga nyheter." },
});

export default function News() {
  return (
    <Page title={texts.title} back="/app/more">
      <ChildChooser />
      {isChildKnown() && <NewsList />}
    </Page>
  );
}

function NewsList() {
  const news = useNews();
  return (
    <Loaded resource={news}>
      {({ data }) =>
        data.length === 0 ? (
          <p class="empty">{texts.none}</p>
        ) : (
          <ul class="stack">
            {data.map((item, index) => (
              <li key={item.id ?? index} class="card">
                {item.category && <p class="tag">{item.category}</p>}
                <h2>{item.title}</h2>
                {item.preview && <p>{item.preview}</p>}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
