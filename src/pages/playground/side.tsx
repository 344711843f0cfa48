import { useEffect, useRef } from 'react';
import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { DOC_EXPLORER_PLUGIN } from '@graphiql/plugin-doc-explorer';

/** The drawer with the examples, GraphiQL's documentation explorer and the history. */
export function Side() {
  const { plugins, visiblePlugin } = useGraphiQL(pick('plugins', 'visiblePlugin'));
  const { setVisiblePlugin } = useGraphiQLActions();
  const drawer = useRef<HTMLDivElement>(null);
  const Content = visiblePlugin?.content;

  // The explorer's search field has no accessible name, and each of its pages creates the field anew.
  useEffect(() => {
    const name = () =>
      drawer.current?.querySelector('[role=combobox]')?.setAttribute('aria-label', 'Search the documentation');
    const watch = new MutationObserver(name);
    if (drawer.current) watch.observe(drawer.current, { childList: true, subtree: true });
    name();
    return () => watch.disconnect();
  }, []);

  return (
    <aside className="pg-side" aria-label="Examples, documentation and history">
      <div className="pg-rail">
        {plugins.map((plugin) => (
          <button
            key={plugin.title}
            type="button"
            aria-expanded={plugin === visiblePlugin}
            aria-controls="side"
            onClick={() => setVisiblePlugin(plugin === visiblePlugin ? null : plugin)}
          >
            <span aria-hidden="true">
              <plugin.icon />
            </span>
            {plugin === DOC_EXPLORER_PLUGIN ? 'Docs' : plugin.title}
          </button>
        ))}
      </div>
      <div id="side" ref={drawer} className="pg-drawer graphiql-plugin" hidden={!Content}>
        {Content && <Content />}
      </div>
    </aside>
  );
}
