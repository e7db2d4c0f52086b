// What every page does.

import { localise } from "./dom.js";
import { startKeys } from "./keys.js";

localise();
startKeys();
