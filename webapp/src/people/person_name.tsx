import { isAdult, type Named } from "./naming";
import { RoleTag } from "./role_tag";

interface Props {
  person: Named;
  isNamesake?: boolean;
}

/** A name, with everything beside it that shows who it really is. */
export function PersonName({ person: { username, name, realName, role }, isNamesake = false }: Props) {
  return (
    <>
      <span class="person-name">{name}</span>
      {realName && <span class="person-real"> ({realName})</span>}
      {isNamesake && <span class="person-real"> {username}</span>}
      {isAdult(role) && role && (
        <>
          {" "}
          <RoleTag role={role} />
        </>
      )}
    </>
  );
}
