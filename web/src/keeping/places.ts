/** Where a page keeps what on a device, for those who keep it and for those who tell of it or delete it. */

/** The tables: texts by their keys. */
export const TABLES_DATABASE = "sunglade";
export const TEXTS = "texts";

/** A memory image of Python. */
export const IMAGE_DATABASE = "sunglade-image";
export const IMAGES = "images";

/** Begins the names of caches with the files of a version. */
export const CACHE = "sunglade-files-";

/** Follows the address of the script that keeps the page, where it is only there to tell people something. */
export const TELLS = "?tell";
