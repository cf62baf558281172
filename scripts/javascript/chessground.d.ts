export const Chessground: any;
