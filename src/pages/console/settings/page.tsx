import { Link, Redirect, useParams } from 'wouter';
import { useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { lazily } from '../../application/lazily.tsx';
import '../parts/catalogue.css';

const catalogues = () => import('./catalogues.tsx');

/** Each section is loaded when it is opened. */
const sections = {
  business: lazily(async () => (await import('./business.tsx')).BusinessSection),
  positions: lazily(async () => (await catalogues()).PositionsSection),
  'skill-levels': lazily(async () => (await catalogues()).SkillLevelsSection),
  qualifications: lazily(async () => (await catalogues()).QualificationsSection),
  'custom-fields': lazily(async () => (await import('./custom-fields.tsx')).CustomFieldsSection),
  'api-keys': lazily(async () => (await import('./api-keys.tsx')).ApiKeysSection),
  webhooks: lazily(async () => (await import('./webhooks.tsx')).WebhooksSection),
  screens: lazily(async () => (await import('./screens.tsx')).ScreensSection),
  feeds: lazily(async () => (await import('./feeds.tsx')).FeedsSection),
  export: lazily(async () => (await import('./export.tsx')).ExportSection),
  account: lazily(async () => (await import('./account.tsx')).AccountSection),
};

type SectionKey = keyof typeof sections;

const keys = Object.keys(sections) as SectionKey[];

/** All sections for admins; others have only their own account and calendars here. */
export default function SettingsPage() {
  const { settings: texts, shell } = useMessages();
  const { section } = useParams<{ section?: string }>();
  const isAdmin = useViewer().role === 'ADMIN';
  if (!isAdmin && section !== 'account' && section !== 'feeds') return <Redirect to="/settings/account" replace />;
  const key = section === undefined ? 'business' : keys.find((each) => each === section);
  if (!key)
    return (
      <Page title={shell.notFound.title}>
        <p>{shell.notFound.lead(`/app/settings/${section}`)}</p>
        <LinkButton isPrimary href="/settings">
          {texts.title}
        </LinkButton>
      </Page>
    );
  const Section = sections[key];
  const { title, lead } = texts.sections[key];
  const content = (
    <div className="cs-settings-content">
      {section === undefined && <h2>{title}</h2>}
      <p className="cs-settings-lead">{lead}</p>
      <Section />
    </div>
  );
  return (
    <Page title={section === undefined ? texts.title : title}>
      {isAdmin ? (
        <div className="cs-settings" data-open={section !== undefined}>
          <Link className="cs-settings-back" href="/settings">
            <span aria-hidden="true">‹</span> {texts.title}
          </Link>
          <nav aria-label={texts.title}>
            {keys.map((each) => (
              <Link key={each} href={`/settings/${each}`} {...(each === key && { 'aria-current': 'page' })}>
                {texts.sections[each].title}
              </Link>
            ))}
          </nav>
          {content}
        </div>
      ) : (
        content
      )}
    </Page>
  );
}
