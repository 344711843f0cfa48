import {
  CreateUserQualificationDocument,
  DeleteUserQualificationDocument,
  HeldDocument,
  QualificationsDocument,
  UpdateUserQualificationDocument,
  type HeldQuery,
  type QualificationsQuery,
} from '../../../generated/pages/console/qualifications.ts';
import { Link } from 'wouter';
import { useMinute } from '../../time/clock.ts';
import { useRead, useViewer } from '../../application/data.ts';
import { addDays, formatDate } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { DateField, SelectField, TextField } from '../parts/fields.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Catalogue } from '../parts/catalogue.tsx';

type Held = NonNullable<HeldQuery['user']['qualifications']>[number];

/** As they are typed: empty for what is null, and 0 for no level. */
interface Values {
  readonly qualificationId: string;
  readonly level: string;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly reference: string;
}

/** Days before its end from which on a certificate is marked. */
const soonDays = 30;

/** What a person holds. */
export function HeldQualifications({ userId }: { userId: string }) {
  const { qualifications: texts } = useMessages();
  const read = useRead(QualificationsDocument);
  return (
    <Loaded read={read}>
      {({ qualifications }) =>
        qualifications.length === 0 ? (
          <Empty title={texts.noneYet} action={<Link href="/settings/qualifications">{texts.addThem}</Link>} />
        ) : (
          <Certificates userId={userId} qualifications={qualifications} />
        )
      }
    </Loaded>
  );
}

function Certificates({ userId, qualifications }: QualificationsQuery & { readonly userId: string }) {
  const { qualifications: texts } = useMessages();
  const { held } = texts;
  const nameOf = (of: Held | Values) => {
    if (!('qualification' in of)) return qualifications.find(({ id }) => id === of.qualificationId)?.name ?? '';
    return of.level === null ? of.qualification.name : texts.withLevel(of.qualification.name, of.level);
  };
  return (
    <Catalogue<Held, Values, HeldQuery>
      section="qualifications"
      texts={held}
      query={HeldDocument}
      variables={{ id: userId }}
      itemsOf={({ user }) => user.qualifications ?? []}
      create={CreateUserQualificationDocument}
      update={UpdateUserQualificationDocument}
      remove={DeleteUserQualificationDocument}
      nameOf={nameOf}
      columns={[
        { key: 'validity', title: held.validity, renderCell: (item) => <Validity {...item} /> },
        { key: 'reference', title: held.reference, isMinor: true, renderCell: ({ reference }) => reference },
      ]}
      valuesOf={(item) => ({
        qualificationId: item?.qualification.id ?? qualifications[0]?.id ?? '',
        level: String(item?.level ?? 0),
        validFrom: item?.validFrom ?? '',
        validUntil: item?.validUntil ?? '',
        reference: item?.reference ?? '',
      })}
      inputOf={({ qualificationId, level, validFrom, validUntil, reference }, item) => ({
        level: Number(level) || null,
        validFrom: validFrom || null,
        validUntil: validUntil || null,
        reference: reference.trim() || null,
        ...(!item && { userId, qualificationId }),
      })}
      renderFields={(field, _form, item) => (
        <>
          {!item && (
            <SelectField
              label={texts.qualification}
              options={new Map(qualifications.map(({ id, name }) => [id, name]))}
              {...field('qualificationId')}
            />
          )}
          <SelectField
            label={texts.level}
            options={new Map(texts.levels.map((label, at) => [String(at), label]))}
            {...field('level')}
          />
          <div className="cs-field-row">
            <DateField label={held.from} isOptional {...field('validFrom')} />
            <DateField label={held.to} isOptional {...field('validUntil')} />
          </div>
          <TextField label={held.reference} hint={held.referenceHint} isOptional {...field('reference')} />
        </>
      )}
    />
  );
}

function Validity({ validFrom, validUntil }: Pick<Held, 'validFrom' | 'validUntil'>) {
  const { qualifications, language } = useMessages();
  const { held } = qualifications;
  const { timezone } = useViewer().business;
  const today = new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(useMinute());
  const days = [
    validFrom && held.since(formatDate(validFrom, 'long', language)),
    validUntil && held.until(formatDate(validUntil, 'long', language)),
  ].filter(Boolean);
  const isOver = validUntil !== null && validUntil < today;
  const isSoon = validUntil !== null && !isOver && validUntil <= addDays(today, soonDays);
  return (
    <>
      {days.join(' ') || held.always}
      {isOver && <strong className="cs-error"> {held.expired}</strong>}
      {isSoon && <strong> {held.soon}</strong>}
    </>
  );
}
