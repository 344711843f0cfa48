import { useRef } from 'react';
import { createPortal } from 'react-dom';
import { Link, useLocation } from 'wouter';
import { logOut, type Viewer } from '../application/session.ts';
import { useMessages } from './messages/messages.ts';
import { pages } from './pages.ts';

const header = document.getElementById('console')!;

/** The header of the console. On a phone, the navigation is in the menu. */
export const Header = ({ viewer }: { viewer: Viewer | null }) =>
  createPortal(
    <>
      <Link className="cb-mark cs-mark" href="/">
        <img src="/favicon.svg" alt="" width="28" height="28" />
        <span>{viewer?.business.name ?? 'Callboard'}</span>
      </Link>
      {viewer && <Navigation viewer={viewer} />}
      {viewer && <AccountMenu viewer={viewer} />}
    </>,
    header,
  );

function Navigation({ viewer: { role } }: { viewer: Viewer }) {
  const messages = useMessages();
  const [location] = useLocation();
  return (
    <nav aria-label={messages.shell.navigation}>
      {pages
        .filter(({ navigation }) => navigation.includes(role))
        .map(({ path, key }) => {
          const to = path.replace('/:section?', '');
          const isCurrent = location === to || (to !== '/' && location.startsWith(`${to}/`));
          return (
            <Link key={path} href={to} {...(isCurrent && { 'aria-current': 'page' })}>
              {messages[key].title}
            </Link>
          );
        })}
    </nav>
  );
}

function AccountMenu({ viewer }: { viewer: Viewer }) {
  const menu = useRef<HTMLDivElement>(null);
  const { shell, settings } = useMessages();
  const close = () => menu.current?.hidePopover();
  return (
    <div className="cs-account">
      <button type="button" className="cs-who" popoverTarget="account-menu" aria-label={shell.account(viewer.name)}>
        <span className="cs-name">{viewer.name}</span>
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <path d="M3 5.5h14M3 10h14M3 14.5h14" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
        </svg>
      </button>
      {/* Each choice closes the menu; the listener hears links and buttons alike, by mouse and by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div id="account-menu" ref={menu} popover="auto" className="cs-menu" onClick={close}>
        <p>
          <strong>{viewer.name}</strong>
          {viewer.email} · {shell.roles[viewer.role]}
        </p>
        <Navigation viewer={viewer} />
        <Link href="/settings/account">{settings.sections.account.title}</Link>
        <div className="cs-developers">
          <p id="developers">{shell.developers}</p>
          <ul aria-labelledby="developers">
            {Object.entries(shell.developerPages).map(([href, name]) => (
              <li key={href}>
                <a href={href}>{name}</a>
              </li>
            ))}
          </ul>
        </div>
        <button type="button" className="cb-button" onClick={() => void logOut()}>
          {shell.logOut}
        </button>
      </div>
    </div>
  );
}
