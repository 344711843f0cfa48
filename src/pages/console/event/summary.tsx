import { useViewer } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import type { Event } from './documents.ts';
import { formatWhen } from './when.ts';

/** When and where an event is, and how it stands, in a few lines. Who cannot edit it finds its texts here, too. */
export function Summary({ event }: { event: Event }) {
  const messages = useMessages();
  const { event: texts } = messages;
  const { role, business } = useViewer();
  const { coverage, status, timezone } = event;
  const place = [event.venueName, event.room, event.address, event.addressLine2, event.city, event.state, event.zip]
    .filter(Boolean)
    .join(', ');
  const isAdmin = role === 'ADMIN';
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`;
  return (
    <div className="ev-summary">
      <p>
        <strong className={`ev-status ev-${status.toLowerCase()}`}>{texts.statuses[status]}</strong>
        <span>
          {formatWhen(event, messages)}
          {timezone !== business.timezone && <span className="ev-hint"> ({timezone})</span>}
        </span>
        {coverage && coverage.needed > 0 && (
          <span>
            {texts.staffing.filled(coverage.assigned, coverage.needed)}
            {coverage.needed > coverage.assigned && ` · ${texts.staffing.open(coverage.needed - coverage.assigned)}`}
          </span>
        )}
        {event.client && <bdi>{event.client.name}</bdi>}
      </p>
      {place && (
        <p>
          {place}{' '}
          <a href={map} target="_blank" rel="noreferrer">
            {texts.map}
          </a>
        </p>
      )}
      {!isAdmin &&
        (['description', 'dressCode'] as const).map(
          (name) =>
            event[name] && (
              <section key={name}>
                <h2>{texts.fields[name === 'description' ? 'about' : name]}</h2>
                <p className="ev-long">{event[name]}</p>
              </section>
            ),
        )}
    </div>
  );
}
