/* SPDX-License-Identifier: MIT
 *
 * The smallest program: what is left of a run is the sandbox.
 */
int main(void) {
    return 0;
}
