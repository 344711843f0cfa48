// The Prisma CLI loads the packages of `prisma studio` and `prisma dev` whenever it starts; they take 110 MB, and one of them
// refuses Node 20. @prisma/fetch-engine downloads native engines, which generating does not need. package.json has npm install
// this module in place of all three.
const parts = {
  BinaryType: { SchemaEngineBinary: 'schema-engine' },
  download: async () => ({}),
};

module.exports = new Proxy(parts, {
  get(_target, name) {
    if (name === '__esModule') return true;
    if (name in parts) return parts[name];
    throw new Error(`${String(name)} of the Prisma CLI is left out here: see prisma/left-out in the repository.`);
  },
});
