/** What `catalogues.ts` makes of a file of words. */
declare module "*.arb" {
  const words: Readonly<Record<import("./keys").Key, import("../../catalogues").Message>>;
  export default words;
}
