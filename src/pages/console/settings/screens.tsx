import {
  ApproveScreenDocument,
  CheckInEventsDocument,
  RevokeScreenDocument,
  ScreenSettingsDocument,
  type ScreenSettingsQuery,
} from '../../../generated/pages/console/settings.ts';
import { readData } from '../../application/session.ts';
import { formatMoment } from '../../time/zones.ts';
import { searchClients } from '../parts/clients.ts';
import { useMessages } from '../messages/messages.ts';
import { Combobox, type Option } from '../parts/combobox.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Catalogue } from '../parts/catalogue.tsx';
import { useDateTime } from '../parts/date-time.ts';

type Screen = ScreenSettingsQuery['items'][number];

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

/** Finds events that run or are to come. */
async function searchEvents(text: string): Promise<readonly Option[]> {
  const variables = { from: new Date().toISOString(), text: text.trim() || null };
  const { events } = await readData(CheckInEventsDocument, variables);
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
    <Catalogue<Screen, Values, ScreenSettingsQuery>
      section="screens"
      texts={texts}
      query={ScreenSettingsDocument}
      itemsOf={({ items }) => items}
      create={ApproveScreenDocument}
      remove={RevokeScreenDocument}
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
