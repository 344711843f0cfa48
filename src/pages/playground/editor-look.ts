import type * as monacoEditor from 'monaco-editor';
import { useEffect, useSyncExternalStore } from 'react';
import { useGraphiQLActions, useMonaco, type MonacoEditor } from '@graphiql/react';
import { readTheme, watchTheme } from '../site/theme.ts';

/* Colours, completion and accessible names of the editors. */

type Monaco = typeof monacoEditor;

export const editorThemes = { light: 'callboard-light', dark: 'callboard-dark' };

const palettes = {
  light: {
    base: 'vs',
    ink: '1d2430',
    soft: '586172',
    accent: 'a3341f',
    name: '23568f',
    text: '3d6b1f',
    number: '8a4b00',
    card: 'ffffff',
  },
  dark: {
    base: 'vs-dark',
    ink: 'ece8e1',
    soft: 'a7afbc',
    accent: 'ff8f70',
    name: '8fc1ff',
    text: 'a8d58a',
    number: 'f0c078',
    card: '1d2027',
  },
} as const;

function defineThemes({ editor }: Monaco): void {
  for (const theme of ['light', 'dark'] as const) {
    const { base, ink, soft, accent, name, text, number, card } = palettes[theme];
    editor.defineTheme(editorThemes[theme], {
      base,
      inherit: true,
      rules: [
        { token: '', foreground: ink },
        { token: 'comment', foreground: soft },
        { token: 'keyword', foreground: accent },
        { token: 'key.identifier.gql', foreground: name },
        { token: 'argument.identifier.gql', foreground: number },
        { token: 'type.identifier.gql', foreground: text },
        { token: 'string', foreground: text },
        { token: 'string.key.json', foreground: name },
        { token: 'string.value.json', foreground: text },
        { token: 'number', foreground: number },
      ],
      colors: {
        'editor.background': '#00000000',
        'editor.foreground': `#${ink}`,
        'editorLineNumber.foreground': `#${soft}`,
        'editorCursor.foreground': `#${accent}`,
        'editor.selectionBackground': `#${accent}33`,
        'editorWidget.background': `#${card}`,
        'editorHoverWidget.background': `#${card}`,
        'editorSuggestWidget.background': `#${card}`,
        'editorSuggestWidget.selectedBackground': `#${accent}22`,
        'editorSuggestWidget.selectedForeground': `#${ink}`,
        'editorSuggestWidget.highlightForeground': `#${accent}`,
        'list.hoverBackground': `#${accent}11`,
        'textLink.foreground': `#${accent}`,
        focusBorder: `#${accent}`,
      },
    });
  }
}

/** Applies the themes once the editors are loaded, and after each change between light and dark. */
export function useEditorTheme(monaco: Monaco | undefined): void {
  const theme = useSyncExternalStore(watchTheme, readTheme);
  const { setTheme } = useGraphiQLActions();
  useEffect(() => {
    if (!monaco) return;
    defineThemes(monaco);
    setTheme(theme);
  }, [monaco, setTheme, theme]);
}

/** Completes a field that has fields of its own with braces, and with the cursor between them. */
export function useBraceCompletion(): void {
  const language = useMonaco((state) => state.monacoGraphQL);
  useEffect(() => {
    language?.setCompletionSettings({ ...language.completionSettings, __experimental__fillLeafsOnComplete: true });
  }, [language]);
}

/** Gives the editor an accessible name. */
export function labelEditor(editor: MonacoEditor | undefined, ariaLabel: string): void {
  editor?.getModel()?.updateOptions({
    bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
  });
  editor?.updateOptions({
    ariaLabel,
    wordWrap: 'on',
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSize: 13.5,
    lineHeight: 21,
    padding: { top: 10, bottom: 10 },
    fixedOverflowWidgets: true,
  });
}
