/** Given and family names of staff. The lengths of the two lists are coprime, so that pairs repeat late. */
// prettier-ignore
const givenNames = [
  'Amara', 'Andre', 'Anjali', 'Beatriz', 'Caleb', 'Camille', 'Carmen', 'Chloe', 'Dae-jung', 'Darius', 'Deepa', 'Diego',
  'Elena', 'Elliot', 'Emeka', 'Fatima', 'Felix', 'Gabriela', 'Grace', 'Hana', 'Hugo', 'Imani', 'Isaac', 'Ivy', 'Jamal',
  'Jasper', 'Joanna', 'Kai', 'Keira', 'Lamar', 'Leila', 'Liam', 'Lucia', 'Malik', 'Marcus', 'Mei', 'Mira', 'Nadia',
  'Naomi', 'Nikhil', 'Noor', 'Oscar', 'Owen', 'Paloma', 'Priya', 'Quentin', 'Rafael', 'Renée', 'Rohan', 'Rosa',
  'Samira', 'Sasha', 'Sofia', 'Tariq', 'Teresa', 'Theo', 'Uma', 'Viktor', 'Wren', 'Xiomara', 'Yusuf', 'Zoe',
] as const;

// prettier-ignore
export const familyNames = [
  'Abbott', 'Adeyemi', 'Alvarez', 'Banerjee', 'Bauer', 'Bennett', 'Brooks', 'Castillo', 'Chen', 'Clarke', 'Cohen',
  'Delgado', 'Desai', 'Doyle', 'Ellis', 'Farah', 'Fitzgerald', 'Flores', 'Garcia', 'Goldberg', 'Grant', 'Haddad',
  'Hayes', 'Hughes', 'Ibrahim', 'Jackson', 'Jensen', 'Kapoor', 'Kelly', 'Kim', 'Kowalski', 'Lindgren', 'Lopez',
  'Mbeki', 'Mendes', 'Morgan', 'Murphy', 'Nakamura', 'Nguyen', "O'Connor", 'Okafor', 'Ortiz', 'Park', 'Patel',
  'Pereira', 'Quinn', 'Ramirez', 'Reyes', 'Rossi', 'Saito', 'Santos', 'Schmidt', 'Sharma', 'Silva', 'Singh',
  'Thompson', 'Tran', 'van der Berg', 'Washington', 'Watanabe', 'Yilmaz',
] as const;

/** The nth of more than 3,000 different full names. */
export const fullName = (n: number): string =>
  `${givenNames[(n * 17) % givenNames.length]} ${familyNames[(n * 23) % familyNames.length]}`;

/** The local part of an e-mail address: letters of the name, ASCII only. */
export const mailbox = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z -]/g, '')
    .trim()
    .replace(/ +/g, '.')
    .toLowerCase();
