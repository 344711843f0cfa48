import {
  CreateFeedDocument,
  FeedsDocument,
  RevokeFeedDocument,
  RotateFeedDocument,
  type CreateFeedMutation,
  type FeedsQuery,
} from '../../../generated/pages/console/settings.ts';
import { useSearch } from 'wouter';
import { useMinute } from '../../time/clock.ts';
import { useViewer, useWrite } from '../../application/data.ts';
import { searchClients } from '../parts/clients.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Combobox, type Option } from '../parts/combobox.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { Catalogue, type ItemActions } from '../parts/catalogue.tsx';
import { useDateTime } from '../parts/date-time.ts';

type Feed = FeedsQuery['items'][number];
type Kind = Feed['kind'];

interface Values {
  readonly name: string;
  readonly kind: Kind;
  readonly clientId: Option | null;
}

type Made = CreateFeedMutation['made'];

const secretOf = ({ path, feed }: Made) => ({ name: feed.name, secret: `${location.origin}${path}` });

/** Calendars of the caller for calendar programs. The address of the page can name the event or the client of a new one. */
export function FeedsSection() {
  const { settings } = useMessages();
  const { feeds: texts } = settings;
  const { role } = useViewer();
  const search = new URLSearchParams(useSearch());
  const eventId = search.get('event');
  const clientId = search.get('client');
  const name = search.get('name') ?? '';
  const kind = { STAFF: 'SHIFTS', CLIENT: 'CLIENT', ADMIN: eventId ? 'EVENT' : clientId ? 'CLIENT' : 'BUSINESS' }[
    role
  ] as Kind;
  const { SHIFTS: _shifts, EVENT, ...others } = texts.kinds;
  return (
    <Catalogue<Feed, Values, FeedsQuery, Made>
      section="feeds"
      texts={texts}
      query={FeedsDocument}
      itemsOf={({ items }) => items}
      create={CreateFeedDocument}
      remove={RevokeFeedDocument}
      isRevoked
      nameOf={(feed) => feed.name}
      renderItems={(feeds, actionsOf) =>
        feeds.map((feed) => <FeedCard key={feed.id} feed={feed} {...actionsOf(feed)} />)
      }
      valuesOf={() => ({
        kind,
        name: name || (role === 'CLIENT' ? texts.ours : texts.kinds[kind]),
        clientId: clientId === null ? null : { value: clientId, label: name },
      })}
      inputOf={(values) => ({
        ...{ kind: values.kind, name: values.name },
        ...(values.kind === 'EVENT' && { eventId }),
        ...(values.kind === 'CLIENT' && values.clientId && { clientId: values.clientId.value }),
      })}
      secretOf={secretOf}
      renderSecret={({ secret }) => (
        <p>
          <a href={secret.replace(/^https?:/, 'webcal:')}>{texts.open}</a>
        </p>
      )}
      renderFields={(field, { values }) => (
        <>
          <TextField label={settings.name} {...field('name')} />
          {role === 'ADMIN' && (
            <SelectField
              label={texts.shows}
              options={eventId === null ? others : { EVENT, ...others }}
              {...field('kind')}
            />
          )}
          {role === 'ADMIN' && values.kind === 'CLIENT' && (
            <Combobox label={texts.client} search={searchClients} {...field('clientId')} />
          )}
          <p className="cs-hint">{texts.how}</p>
        </>
      )}
    />
  );
}

function FeedCard({ feed, onRemove, onSecret }: { readonly feed: Feed } & ItemActions) {
  const { settings } = useMessages();
  const { feeds: texts } = settings;
  const formatTime = useDateTime();
  const nowMs = useMinute();
  const { id, name, kind, lastUsedAt, previousSecretExpiresAt: until, owner, client } = feed;
  const rotate = useWrite(RotateFeedDocument);
  return (
    <section className="cs-webhook" aria-label={name}>
      <div className="cs-field-row">
        <span>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <span className="cs-hint">{[texts.kinds[kind], client?.name, owner?.name].filter(Boolean).join(' · ')}</span>
          <span className="cs-hint">{lastUsedAt === null ? texts.unread : texts.read(formatTime(lastUsedAt))}</span>
        </span>
        <span className="cs-row-actions">
          <Button
            aria-label={texts.rotateOf(name)}
            isBusy={rotate.isPending}
            onClick={() => void rotate.write({ id }).then(({ data }) => data && onSecret(secretOf(data.made)))}
          >
            {texts.rotate}
          </Button>
          <Button look="quiet" aria-label={settings.revokeOf(name)} onClick={onRemove}>
            {settings.revoke}
          </Button>
        </span>
      </div>
      {until !== null && Date.parse(until) > nowMs && <Notice>{texts.twoAddresses(formatTime(until))}</Notice>}
      {rotate.fault && <Notice look="bad">{rotate.fault.message}</Notice>}
    </section>
  );
}
