import { useState } from "preact/hooks";
import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { nameSearch } from "../../lib/name_search";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { Contacts } from "../../school/contacts";
import { useStaff } from "../../school/resources";
import { AtSchool } from "../../school/rows_of_school";
import { Page } from "../../shell/page";
import { Avatar } from "../../ui/avatar";
import { Field } from "../../ui/field";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: { title: "Staff", find: "Find by name or role", none: "Nobody has that name or role." },
  sv: { title: "Personal", find: "Hitta på namn eller roll", none: "Ingen har det namnet eller den rollen." },
});

type Member = Schemas["StaffMember"];

export default function StaffPage() {
  return (
    <Page title={texts.title} back="/app/more">
      <ChildChooser />
      {isChildKnown() && <Staff />}
      <AtSchool page="staff" />
    </Page>
  );
}

function Staff() {
  const staff = useStaff();
  const [wanted, setWanted] = useState("");
  return (
    <Loaded resource={staff}>
      {({ staff: all }) => {
        const isWanted = nameSearch(wanted);
        const found = all.filter(({ name, roles }) => isWanted([name, ...roles].join(" ")));
        return (
          <>
            <Field label={texts.find}>
              {(attributes) => <input {...attributes} type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />}
            </Field>
            {found.length === 0 && <p class="empty">{texts.none}</p>}
            <ul class="rows">
              {found.map((each, index) => (
                <MemberRow key={`${each.name}${index}`} member={each} />
              ))}
            </ul>
          </>
        );
      }}
    </Loaded>
  );
}

function MemberRow({ member: { name, roles, email, phone } }: { member: Member }) {
  return (
    <li class="row">
      <Avatar name={name} />
      <div class="row-main">
        <p class="row-title">{name}</p>
        {roles.length > 0 && <p class="quiet small">{roles.join(", ")}</p>}
        <Contacts name={name} email={email} phone={phone} />
      </div>
    </li>
  );
}
