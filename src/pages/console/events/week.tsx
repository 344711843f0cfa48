import { Link } from 'wouter';
import { useMessages } from '../messages/messages.ts';
import { writeAddress } from './address.ts';
import { Card } from './card.tsx';
import { formatDate, listDays } from './dates.ts';
import { useDayKeys } from './keys.ts';
import type { DaysProps } from './month.tsx';

/** Events that fit into a day of the week. */
const shownMax = 20;

export function Week({ days, day, today, address, groups, firstWeekday, mayCreate, onGo }: DaysProps) {
  const { events: texts, language } = useMessages();
  const onKeyDown = useDayKeys(day, firstWeekday, onGo);
  return (
    <div className="cal-week">
      {listDays(days).map((each) => {
        const events = groups.get(each) ?? [];
        const href = writeAddress({ ...address, view: 'day', day: each });
        return (
          <section key={each} className={each === day ? 'cal-selected' : ''} aria-labelledby={`day-${each}`}>
            <h3 className="cal-top">
              <Link
                id={`day-${each}`}
                className="cal-day"
                href={href}
                tabIndex={each === day ? undefined : -1}
                onKeyDown={onKeyDown}
                {...(each === today && { 'aria-current': 'date' })}
              >
                {formatDate(each, 'short', language)}
              </Link>
              {mayCreate && (
                <Link
                  className="cal-add"
                  href={`/events/new?day=${each}`}
                  tabIndex={each === day ? undefined : -1}
                  aria-label={texts.createOn(formatDate(each, 'long', language))}
                >
                  +
                </Link>
              )}
            </h3>
            {events.slice(0, shownMax).map((event) => (
              <Card key={event.uuid} event={event} isTabStop={each === day} />
            ))}
            {events.length > shownMax && (
              <Link className="cal-more" href={href} tabIndex={each === day ? undefined : -1}>
                {texts.more(events.length - shownMax)}
              </Link>
            )}
          </section>
        );
      })}
    </div>
  );
}
