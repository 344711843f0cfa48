import { ClientsDocument } from '../../../generated/pages/console/parts.ts';
import { readData } from '../../application/session.ts';
import type { Option } from './combobox.tsx';

export async function searchClients(text: string): Promise<Option[]> {
  const { users } = await readData(ClientsDocument, { search: text.trim() || null });
  return users.nodes.map(({ id, name, email }) => ({ value: id, label: name, detail: email ?? '' }));
}
