import { useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { PlaceLink } from '../parts/place.tsx';
import type { Event } from '../model/events.ts';
import { formatWhen } from '../../time/when.ts';

/** When and where an event is, and how it stands, in a few lines. Who cannot edit it finds its texts here, too. */
export function Summary({ event }: { event: Event }) {
  const messages = useMessages();
  const { event: texts } = messages;
  const { role, business } = useViewer();
  const { coverage, status, timezone } = event;
  // Too many people at one call time fill no place of another.
  const filled = coverage ? coverage.needed - coverage.open : 0;
  const isAdmin = role === 'ADMIN';
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
            {texts.staffing.filled(filled, coverage.needed)}
            {coverage.open > 0 && status !== 'CANCELED' && ` · ${texts.staffing.open(coverage.open)}`}
            {coverage.assigned > filled && ` · ${texts.staffing.over(coverage.assigned - filled)}`}
          </span>
        )}
        {event.client && <bdi>{event.client.name}</bdi>}
      </p>
      <p>
        <PlaceLink {...event} />
      </p>
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
