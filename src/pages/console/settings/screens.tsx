import { readData } from '../../application/session.ts';
import { formatMoment } from '../../board/zones.ts';
import { searchClients } from '../events/clients.ts';
import { useMessages } from '../messages/messages.ts';
import { Combobox, type Option } from '../parts/combobox.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Catalogue } from './catalogue.tsx';
import { useDateTime } from '../parts/date-time.ts';

const query = `query ScreenSettings {
  items: screens { id name names city text client { name } position { title } checkInEventUuid claimedAt lastSeenAt }
  positions { id title }
}`;
const approveMutation = `mutation ApproveScreen($idempotencyKey: String, $input: ApproveScreenInput!) {
  made: approveScreen(idempotencyKey: $idempotencyKey, input: $input) { id }
}`;

interface Screen {
  readonly id: string;
  readonly name: string;
  readonly names: 'SHORT' | 'FULL' | 'HIDDEN';
  readonly city: string | null;
  readonly text: string | null;
  readonly client: { readonly name: string } | null;
  readonly position: { readonly title: string } | null;
  readonly checkInEventUuid: string | null;
  readonly claimedAt: string | null;
  readonly lastSeenAt: string | null;
}

interface Positions {
  readonly positions: readonly { readonly id: string; readonly title: string }[];
}

interface Values {
  readonly code: string;
  readonly name: string;
  readonly names: Screen['names'];
  readonly clientId: Option | null;
  readonly positionId: string;
  readonly city: string;
  readonly text: string;
  readonly checkInEventId: Option | null;
}

const empty: Values = {
  ...{ code: '', name: '', names: 'SHORT', clientId: null, positionId: '', city: '', text: '', checkInEventId: null },
};

const eventsQuery = `query CheckInEvents($from: DateTimeISO!, $text: String) {
  events(filter: { statuses: [ACTIVE], runsFrom: $from, text: $text }, sort: { by: START, order: ASC }, first: 8) {
    nodes { uuid title startsAt timezone }
  }
}`;

interface Events {
  readonly events: { readonly nodes: readonly Readonly<Record<'uuid' | 'title' | 'startsAt' | 'timezone', string>>[] };
}

/** Finds events that run or are to come. */
async function searchEvents(text: string): Promise<readonly Option[]> {
  const variables = { from: new Date().toISOString(), text: text.trim() || null };
  const { events } = await readData<Events>(eventsQuery, variables);
  return events.nodes.map(({ uuid, title, startsAt, timezone }) => ({
    value: uuid,
    label: title,
    detail: formatMoment(Date.parse(startsAt), timezone),
  }));
}

/** What the board shows, by the title of the position. */
interface Shown extends Pick<Values, 'city' | 'text'> {
  readonly client: Option | null;
  readonly position: string | null;
}

/** Browsers on walls and at doors that show the board without a log-in. `shown` is what a new one shows at first. */
export const ScreensSection = () => <Screens shown={null} />;

export function Screens({ shown }: { shown: Shown | null }) {
  const { settings } = useMessages();
  const { screens: texts } = settings;
  const formatTime = useDateTime();
  return (
    <Catalogue<Screen, Values, Positions>
      section="screens"
      texts={texts}
      query={query}
      create={approveMutation}
      remove="mutation RevokeScreen($id: ID!) { revokeScreen(id: $id) { id } }"
      isRevoked
      nameOf={({ name }) => name}
      hintOf={({ names }) => `${texts.names}: ${texts.namings[names]}`}
      columns={[
        {
          key: 'filter',
          title: texts.shows,
          isMinor: true,
          renderCell: ({ client, position, city, text, checkInEventUuid }) =>
            [client?.name, position?.title, city, text, checkInEventUuid && texts.checksIn]
              .filter(Boolean)
              .join(' · ') || texts.everything,
        },
        {
          key: 'seen',
          title: texts.lastSeen,
          renderCell: ({ claimedAt, lastSeenAt }) =>
            claimedAt === null ? texts.waiting : lastSeenAt === null ? texts.notSeen : formatTime(lastSeenAt),
        },
      ]}
      valuesOf={(_item, { positions }) => {
        const { client: clientId, position, ...filter } = shown ?? { client: null, position: null };
        const positionId = positions.find(({ title }) => title === position)?.id ?? '';
        return { ...empty, ...filter, clientId, positionId };
      }}
      inputOf={({ code, name, names, clientId, positionId, city, text, checkInEventId }) => {
        const filter = {
          ...{ clientId: clientId?.value, positionId, city: city.trim(), text: text.trim() },
          checkInEventId: checkInEventId?.value,
        };
        return { code, name, names, ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) };
      }}
      renderFields={(field, _form, _item, { positions }) => (
        <>
          <p>{texts.how(`${location.host}/board`)}</p>
          <TextField label={texts.code} maxLength={20} placeholder="KDWM-7RXQ" {...field('code')} />
          <TextField label={settings.name} hint={texts.nameHint} {...field('name')} />
          <SelectField label={texts.names} options={texts.namings} {...field('names')} />
          <Combobox label={texts.client} isOptional search={searchClients} {...field('clientId')} />
          <SelectField
            label={texts.position}
            none={texts.all}
            options={new Map(positions.map(({ id, title }) => [id, title]))}
            {...field('positionId')}
          />
          <TextField label={texts.city} isOptional {...field('city')} />
          <TextField label={texts.text} isOptional {...field('text')} />
          <Combobox
            label={texts.checkIn}
            hint={texts.checkInHint}
            isOptional
            search={searchEvents}
            {...field('checkInEventId')}
          />
        </>
      )}
    />
  );
}
