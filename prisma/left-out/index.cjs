// Prisma's command line loads the packages of `prisma studio` and `prisma dev` whenever it starts. They take 110 MB, and one
// of them refuses Node 20. package.json has npm install this module in their place.
module.exports = new Proxy(
  {},
  {
    get(_target, name) {
      if (name === '__esModule') return true;
      throw new Error('`prisma studio` and `prisma dev` are left out here: see prisma/left-out in the repository.');
    },
  },
);
