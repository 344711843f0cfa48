import { lazy } from 'react';
import { Link, Redirect, useParams } from 'wouter';
import { useViewer } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import './settings.css';

const lazily = <Name extends string>(name: Name, load: () => Promise<Record<Name, () => React.ReactNode>>) =>
  lazy(async () => ({ default: (await load())[name] }));

const catalogues = () => import('./catalogues.tsx');

/** Each section is loaded when it is opened. */
const sections = {
  business: lazily('BusinessSection', () => import('./business.tsx')),
  positions: lazily('PositionsSection', catalogues),
  'skill-levels': lazily('SkillLevelsSection', catalogues),
  qualifications: lazily('QualificationsSection', catalogues),
  'custom-fields': lazily('CustomFieldsSection', () => import('./custom-fields.tsx')),
  'api-keys': lazily('ApiKeysSection', () => import('./api-keys.tsx')),
  webhooks: lazily('WebhooksSection', () => import('./webhooks.tsx')),
  screens: lazily('ScreensSection', () => import('./screens.tsx')),
  export: lazily('ExportSection', () => import('./export.tsx')),
  account: lazily('AccountSection', () => import('./account.tsx')),
};

type SectionKey = keyof typeof sections;

const keys = Object.keys(sections) as SectionKey[];

/** All sections for admins; others have only their own account here. */
export default function SettingsPage() {
  const { settings: texts, shell } = useMessages();
  const { section } = useParams<{ section?: string }>();
  const isAdmin = useViewer().role === 'ADMIN';
  if (!isAdmin && section !== 'account') return <Redirect to="/settings/account" replace />;
  const key = section === undefined ? 'business' : keys.find((each) => each === section);
  if (!key)
    return (
      <Page title={shell.notFound.title}>
        <p>{shell.notFound.lead(`/app/settings/${section}`)}</p>
        <Link className="cb-button cb-primary" href="/settings">
          {texts.title}
        </Link>
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
