import { readData } from '../../application/session.ts';
import type { Option } from '../parts/combobox.tsx';

const clientsQuery = `query Clients($search: String) {
  users(role: CLIENT, search: $search, first: 20) { nodes { id name email } }
}`;

interface Clients {
  readonly users: { readonly nodes: readonly Readonly<Record<'id' | 'name' | 'email', string>>[] };
}

export async function searchClients(text: string): Promise<Option[]> {
  const { users } = await readData<Clients>(clientsQuery, { search: text.trim() || null });
  return users.nodes.map(({ id, name, email }) => ({ value: id, label: name, detail: email }));
}
